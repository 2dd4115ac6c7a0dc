"""A test that fails without a connection leaves the site reachable for those that follow."""

from http.client import HTTPException
from urllib.request import urlopen

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from tests.conftest import finish_requests
from tests.lost_connection import cut


@pytest.mark.django_db(transaction=True)
def test_site_answers_after_a_test_that_cut_it(live_server: LiveServer) -> None:
    address = live_server.url + reverse("account_login")
    cut(live_server)
    with pytest.raises((OSError, HTTPException)):
        urlopen(address)
    finish_requests(live_server)
    assert urlopen(address).status == 200
