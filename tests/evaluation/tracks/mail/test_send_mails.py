"""Mails: stored with the transaction, sent by a worker, retried, and none sent twice."""

from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.mail import send_mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.models import Mail
from evaluation.running.hosting.addresses import open_session
from evaluation.tracks.mail.actions import MOST_TRIES, send_mails, store_mail, wait_after
from tests.evaluation.tracks.mail.smtp_server import smtp_server

pytestmark = pytest.mark.django_db


def _store(**fields: Any) -> None:
    store_mail(**{"what": "test", "to": "a@example.org", "subject": "S", "text": "secret link\n"} | fields)


def test_mail_is_sent_once_and_its_text_wiped() -> None:
    with transaction.atomic():
        _store()
        transaction.set_rollback(True)
    assert not Mail.objects.exists(), "of a transaction that fails"
    _store()
    assert mail.outbox == []
    assert (send_mails(), send_mails()) == (1, 0)
    (message,) = mail.outbox
    assert (message.to, message.subject, message.body) == (["a@example.org"], "S", "secret link\n")
    row = Mail.objects.get()
    assert (row.tries, row.text) == (1, "")
    assert row.sent_at


def test_mail_to_send_once_is_stored_once() -> None:
    for _ in range(2):
        _store(once="released 1 1")
        _store()
    assert Mail.objects.count() == 3


@pytest.mark.parametrize(
    "unsendable",
    [
        {"to": f"me@{'ä' * 60}.de"},  # a form takes it, but the domain has no name in ASCII
        {"subject": "S\rBcc: all@example.org"},
    ],
    ids=["address", "subject"],
)
def test_mail_that_no_server_takes_does_not_stop_those_behind_it(unsendable: dict[str, str]) -> None:
    _store(**unsendable)
    _store()
    assert send_mails() == 1
    assert [message.to for message in mail.outbox] == [["a@example.org"]]
    first = Mail.objects.earliest("pk")
    assert (first.tries, bool(first.error), first.sent_at) == (1, True, None)


def test_mail_that_cannot_go_waits_longer_each_time_and_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise SMTPServerDisconnected("no server")

    with monkeypatch.context() as context:
        context.setattr(EmailBackend, "send_messages", refuse)
        _store()
        for tries in range(1, MOST_TRIES):
            before = timezone.now()
            assert send_mails() == 0
            row = Mail.objects.get()
            assert (row.tries, row.error) == (tries, "no server")
            assert row.due_at
            assert abs(row.due_at - before - wait_after(tries)) < timedelta(seconds=30)
            assert send_mails() == 0  # not before it is due
            Mail.objects.update(due_at=before)
        send_mails()
    assert send_mails() == 0
    assert Mail.objects.get().due_at is None
    minutes = [wait_after(tries) / timedelta(minutes=1) for tries in (1, 2, 3, 9, 10, 11)]
    assert minutes == [1, 2, 4, 256, 360, 360]


def test_mail_of_a_worker_that_dies_while_it_sends_goes_again_under_the_same_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _store()
    deliver = EmailBackend.send_messages

    def die(backend: EmailBackend, messages: Any) -> int:
        deliver(backend, messages)
        raise SystemExit

    with monkeypatch.context() as context:
        context.setattr(EmailBackend, "send_messages", die)
        with pytest.raises(SystemExit), transaction.atomic():
            send_mails()
    assert send_mails() == 1
    first, second = (str(each.extra_headers["Message-ID"]) for each in mail.outbox)
    assert first == second
    assert first.startswith("<mail-")


def test_mail_goes_by_smtp_after_a_refusal_and_a_lost_connection(settings: Any) -> None:
    _store(to="a@example.org", text="Grüße\n")
    settings.MAIL_DELIVERY_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with smtp_server() as postbox:
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", postbox.port, False
        postbox.refusals = ["451 later", ""]
        for error in ("later", "closed"):
            assert send_mails() == 0
            assert error in Mail.objects.get().error
            Mail.objects.update(due_at=Now())
        assert send_mails() == 1
    (message,) = postbox.messages
    assert (message["To"], message["Message-ID"].startswith("<mail-")) == ("a@example.org", True)
    assert message.get_payload(decode=True) == "Grüße\r\n".encode()


def test_task_that_reaches_its_time_limit_leaves_the_rest_to_the_next(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _, name, args: sent.append(name))
    monkeypatch.setattr("evaluation.tracks.mail.actions.TURN", 0.0)
    _store()
    _store()
    with django_capture_on_commit_callbacks(execute=True):
        assert send_mails() == 1
    assert sent == ["evaluation.mail_send"]
    assert send_mails() == 1


@pytest.mark.django_db(transaction=True)
def test_mail_that_another_worker_sends_is_skipped() -> None:
    _store()
    with open_session() as other:
        other.execute("BEGIN")
        other.execute("SELECT id FROM evaluation_mail FOR UPDATE")
        assert send_mails() == 0
    assert send_mails() == 1


def test_mail_that_django_sends_waits_in_the_table_for_each_recipient() -> None:
    backend = "evaluation.tracks.mail.actions.OutboxBackend"
    connection = mail.get_connection(backend)
    send_mail("Subject", "Text", None, ["a@example.org", "b@example.org"], connection=connection)
    assert mail.outbox == []
    assert set(Mail.objects.values_list("to", "subject", "text")) == {
        ("a@example.org", "Subject", "Text"),
        ("b@example.org", "Subject", "Text"),
    }
    assert backend != settings.MAIL_DELIVERY_BACKEND
