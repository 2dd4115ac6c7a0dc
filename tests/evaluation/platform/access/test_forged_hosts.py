"""No mail names a host of a request: links start with SITE_URL, whatever the headers say."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from evaluation.models import Mail, Phase
from tests.evaluation.platform.access.account_forms import NEW
from tests.factories import PASSWORD, make_organizer, make_task, make_team, make_team_member, make_user

pytestmark = pytest.mark.django_db

FORGED = "elsewhere.example"
HEADERS = {
    "host": FORGED,
    "x-forwarded-host": FORGED,
    "x-forwarded-server": FORGED,
    "x-original-url": f"https://{FORGED}/",
    "forwarded": f"for=192.0.2.1;host={FORGED};proto=https",
    "origin": f"https://{FORGED}",
    "referer": f"https://{FORGED}/a",
    "user-agent": f"https://{FORGED}/b",
}
LINK = re.compile(r"https?://[^\s/]+")


@pytest.fixture(autouse=True)
def any_host(settings: Settings) -> None:
    """The site answers to any name, as where a proxy passes on what it gets."""
    settings.ALLOWED_HOSTS = ["*"]
    settings.USE_X_FORWARDED_HOST = True


def mailed() -> str:
    """All mails, sent or queued, with their heads."""
    sent = [f"{each.subject}\n{each.body}\n{each.extra_headers}" for each in mail.outbox]
    return "\n".join([*sent, *(f"{each.subject}\n{each.text}" for each in Mail.objects.all())])


def test_mails_of_accounts_name_no_host_of_the_request(settings: Settings) -> None:
    person = make_user(email="me@example.org")
    stranger, owner = Client(headers=HEADERS), Client(headers=HEADERS)
    owner.force_login(person)
    requests: list[tuple[Client, str, dict[str, Any]]] = [
        (stranger, "signup/", {"name": "N", "email": "new@example.org", "password1": NEW}),
        (Client(headers=HEADERS), "signup/", {"name": "N", "email": person.email, "password1": NEW}),
        (stranger, "password/reset/", {"email": person.email}),
        (stranger, "password/reset/", {"email": "nobody@example.org"}),
        (owner, "email/", {"action_add": "yes", "email": "other@example.org"}),
        (owner, "password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}),
    ]
    for count, (client, page, sent) in enumerate(requests, start=1):
        answer = client.post(f"/account/{page}", sent)
        assert answer.status_code == 302, page
        assert len(mail.outbox) == count, page
    assert FORGED not in mailed()
    assert set(LINK.findall(mailed())) == {settings.SITE_URL}


def test_mails_of_tracks_name_no_host_of_the_request(settings: Settings) -> None:
    task = make_task(phase=Phase.OPEN)
    team = make_team(task.track)
    make_team_member(team)
    client = Client(headers=HEADERS)
    client.force_login(make_organizer(task.track))
    place = f"/tracks/{task.track.slug}/"
    invited = {"emails": "a@example.org", "role": "assessor"}
    announced = {
        "subject": "News",
        "text": "Read this.",
        "audience": "everybody",
        "is_mailed": "on",
        "publish": "yes",
    }
    for page, sent in (("invite/", invited), ("announce/", announced)):
        count = Mail.objects.count()
        answer = client.post(place + page, sent)
        assert answer.status_code == 302, (page, answer.content.decode()[-1500:])
        assert Mail.objects.count() > count
    assert FORGED not in mailed()
    assert set(LINK.findall(mailed())) == {settings.SITE_URL}
