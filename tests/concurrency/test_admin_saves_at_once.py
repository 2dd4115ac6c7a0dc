"""Two saves of one row in the admin at once."""

from functools import partial

import pytest
from django.test import Client

from evaluation.models import Track
from tests.concurrency.admin_forms import TOLD, address_of, sent_by
from tests.concurrency.concurrent_calls import at_once
from tests.factories import make_organizer, make_task


@pytest.mark.django_db(transaction=True)
def test_of_two_saves_at_once_the_second_is_refused(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    address = address_of(task.track)
    opened = client.get(address)
    first, second = (
        partial(client.post, address, sent_by(opened, description=words)) for words in ("first", "second")
    )
    assert TOLD in at_once(first, second).content.decode()
    assert Track.objects.get().description == "first"
