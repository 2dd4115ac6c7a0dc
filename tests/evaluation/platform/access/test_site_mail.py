"""A site without mail: no page promises one, and strangers are told whom to ask."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from evaluation.models import Mail, User
from tests.addresses.urlconf import routes
from tests.factories import PASSWORD, make_user
from tests.permissions.crawl import is_of_admin
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db
CONSOLE = "django.core.mail.backends.console.EmailBackend"
PROMISE = re.compile(
    r"\b(?:we|be|been|is|are) mail(?:ed)?\b|\bmail(?:s|ed)? (?:it|you|a)\b|\bby mail\b|get a mail", re.I
)
TAG = re.compile(r"<[^>]*>")
TRUE = "what it would mail you"  # of the page that names the operator


@pytest.fixture(autouse=True)
def without_mail(settings: Settings) -> None:
    settings.MAIL_DELIVERY_BACKEND = CONSOLE
    settings.OPERATOR_EMAIL = "operator@example.org"


def _promises(client: Client, address: str) -> list[str]:
    answer = client.get(address)
    content = b"".join(answer)
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return []
    words = TAG.sub("", content.decode()).replace(TRUE, "")
    return [f"{address}: {found}" for found in PROMISE.findall(words)]


@pytest.mark.parametrize("role", ["signed-out", "visitor", "team", "organizer"])
def test_no_page_of_a_site_without_mail_promises_one(whole_site: WholeSite, role: str) -> None:
    client = whole_site.client(role)
    skipped = ("/api/", "/metrics", "/account/logout")
    addresses = [route.filled(whole_site.first_values) for route in routes()]
    pages = [page for page in addresses if not is_of_admin(page) and not page.startswith(skipped)]
    assert len(pages) > 100
    assert [promise for page in pages for promise in _promises(client, page)] == []


def test_stranger_is_told_whom_to_ask_and_makes_no_account(client: Client) -> None:
    form = {"name": "N", "email": "new@example.org", "password1": "a brand new passphrase"}
    for answer in (client.get("/account/signup/"), client.post("/account/signup/", form)):
        page = answer.content.decode()
        assert ("Ask the organizers of a track" in page, "operator@example.org" in page) == (True, True)
        assert 'name="password1"' not in page
    assert not User.objects.filter(email="new@example.org").exists()


def test_code_and_link_stand_in_the_log_whose_operator_is_named(client: Client) -> None:
    make_user(email="me@example.org")
    sent = client.post("/account/password/reset/", {"email": "me@example.org"}, follow=True).content.decode()
    assert ("mailed" in sent, TRUE in sent) == (False, True)
    User.objects.create_user("you@example.org", PASSWORD)
    entered = client.post("/account/login/", {"login": "you@example.org", "password": PASSWORD}, follow=True)
    page = entered.content.decode()
    assert ("mailed a code" in page, "Make a new code" in page, TRUE in page) == (False, True, True)


def test_announcement_is_published_and_not_mailed(whole_site: WholeSite) -> None:
    track = whole_site.task.track
    form = {"audience": "everybody", "subject": "S", "text": "T", "is_mailed": "on", "publish": "1"}
    answer = whole_site.client("organizer").post(f"/tracks/{track.slug}/announce/", form, follow=True)
    assert "The announcement is published." in answer.content.decode()
    assert not Mail.objects.filter(what="announcement").exists()
