"""Staff and organizers need a second factor where the site says so."""

import time
from types import SimpleNamespace

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from pytest_django import Settings

from evaluation.models import User
from evaluation.running.hosting.addresses import is_public_host
from tests.evaluation.platform.access.account_forms import ME, code_of
from tests.factories import PASSWORD, make_assessor, make_organizer, make_track, make_user

pytestmark = pytest.mark.django_db
SET_UP = "/account/second-factor/?required=yes"


@pytest.fixture(autouse=True)
def _required(settings: Settings) -> None:
    settings.IS_SECOND_FACTOR_REQUIRED = True


@pytest.mark.parametrize("path", ["/", "/account/tokens/", "/admin/", "/setup/", "/account/name/"])
@pytest.mark.parametrize("is_superuser", [True, False])
def test_organizers_and_staff_are_sent_to_set_it_up(client: Client, path: str, *, is_superuser: bool) -> None:
    staff = User.objects.create_superuser("staff@example.org", PASSWORD)
    client.force_login(staff if is_superuser else make_organizer(make_track()))
    assert client.get(path).headers["Location"] == SET_UP
    assert client.post(path, {}).headers["Location"] == SET_UP


def test_others_and_those_who_have_one_are_not(client: Client) -> None:
    track = make_track()
    TOTP.activate(organizer := make_organizer(track), generate_totp_secret())
    for person in (make_user(), make_assessor(track), organizer):
        client.force_login(person)
        assert client.get("/").status_code == 200
    client.logout()
    assert client.get("/").status_code == 200


def test_organizer_sets_it_up_and_goes_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = time.time()
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", SimpleNamespace(time=lambda: moment))
    make_organizer(make_track(), email="me@example.org")
    client.post("/account/login/", ME)
    assert "to continue" in client.get("/", follow=True).content.decode()
    again = client.get("/account/second-factor/totp/activate/").headers["Location"]
    page = client.post(again, {"password": PASSWORD}, follow=True)
    client.post("/account/second-factor/totp/activate/", {"code": code_of(page.context["form"].secret)})
    assert client.get("/").status_code == 200


def test_nobody_needs_one_where_the_site_does_not_say_so(client: Client, settings: Settings) -> None:
    settings.IS_SECOND_FACTOR_REQUIRED = False
    client.force_login(make_organizer(make_track()))
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("host", "is_public"),
    [
        ("track.example.org", True),
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("localhost", False),
        ("trackside.localhost", False),
        ("127.0.0.1", False),
        ("::1", False),
        ("10.1.2.3", False),
        ("myhost", False),
        ("", False),
    ],
)
def test_host_names_that_the_internet_can_reach(host: str, *, is_public: bool) -> None:
    assert is_public_host(host) is is_public
