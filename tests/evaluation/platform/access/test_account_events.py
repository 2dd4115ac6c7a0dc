"""The log of sign-ins: who, from where, and what; never the typed text."""

import logging

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from tests.evaluation.platform.access.account_forms import ME
from tests.factories import make_user
from trackside.log_context import bound_ids

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object, object]]:
    """Kind, person and client of each event."""
    found: list[tuple[str, object, object]] = []

    def add(_level: int, kind: str) -> None:
        found.append((kind, bound_ids().get("person"), bound_ids().get("client")))

    monkeypatch.setattr("evaluation.platform.access.account_events.log.log", add)
    return found


def test_sign_ins_and_outs_and_what_fails_are_logged(client: Client, lines: list[object]) -> None:
    person = make_user(email="me@example.org")
    client.post("/account/login/", ME, REMOTE_ADDR="192.0.2.7")
    client.post("/account/logout/", REMOTE_ADDR="192.0.2.8")
    client.post("/account/login/", ME | {"password": "wrong"}, REMOTE_ADDR="192.0.2.7")
    client.post("/account/login/", {"login": "nobody@example.org", "password": "wrong"})
    TOTP.activate(person, generate_totp_secret())
    client.post("/account/login/", ME)
    client.post("/account/second-factor/authenticate/", {"code": "x"})
    assert lines == [
        ("signed in", person.pk, "192.0.2.7"),
        ("signed out", person.pk, "192.0.2.8"),
        ("sign-in failed", person.pk, "192.0.2.7"),
        ("sign-in failed", "unknown", "127.0.0.1"),
        ("second factor failed", person.pk, "127.0.0.1"),
    ]


def test_typed_text_is_in_no_line(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    typed = {"login": "my-secret@example.org", "password": "wrong"}
    client.post("/account/login/", typed)
    records: list[logging.LogRecord] = caplog.records
    assert any(record.getMessage() == "sign-in failed" for record in records)
    assert not any("my-secret" in record.getMessage() for record in records)
