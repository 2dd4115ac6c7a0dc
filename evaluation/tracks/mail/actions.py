"""Queue mails in the transaction that causes them, mail teams about dates, and send what is due."""

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse

from evaluation.platform.access.people import User
from evaluation.tracks.mail.models import Mail
from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import enqueue
from evaluation.tracks.work.recomputing.actions import ask_results
from trackside.text.time_zones import format_in_zone


def queue_mail(*, what: str, to: str, context: Mapping[str, Any], once: str = "") -> None:
    """Render a mail in the active language and queue it.

    A rollback of the current transaction discards the mail. If a mail with this ``once`` exists, nothing is
    queued.
    """
    subject, text = render_mail(what, context)
    store_mail(what=what, to=to, subject=subject, text=text, once=once)


def render_mail(what: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """Return the first line of ``templates/mail/<what>.txt``, which is the subject, and the text."""
    subject, _, text = render_to_string(f"mail/{what}.txt", dict(context)).strip().partition("\n")
    return subject, text.strip() + "\n"


def store_mail(*, what: str, to: str, subject: str, text: str, once: str = "") -> None:
    """Queue a mail that is already rendered."""
    mail = Mail(what=what, to=to, subject=subject[:255], text=text, once=once)
    Mail.objects.bulk_create([mail], ignore_conflicts=bool(once))
    enqueue("evaluation.mail_send")


def site_link(name: str, *args: object) -> str:
    """Return an absolute URL of the site for a mail."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


log = logging.getLogger(__name__)

MOST_TRIES = 12  # the last one comes 20 hours after the first
TURN = 60.0  # seconds after which a task leaves the other mails to the next task
LONGEST_WAIT = timedelta(hours=6)


def send_mails() -> int:
    """Send due mails that no other worker is sending, for up to TURN seconds; return how many were sent.

    Another task sends the rest, so that no message of the queue stays unacknowledged for long.

    If a worker dies while it sends a mail, the row is unchanged and the mail is sent again. If the server had
    accepted it, it arrives twice with the same Message-ID, by which mail programs detect duplicates.
    """
    sent_count, started_at = 0, time.monotonic()
    while (is_sent := _send_next()) is not None:
        sent_count += is_sent
        if time.monotonic() - started_at >= TURN:
            enqueue("evaluation.mail_send")
            break
    return sent_count


@transaction.atomic
def _send_next() -> bool | None:
    """Send the next due mail; return whether it was sent, or None if none is due."""
    mail = Mail.objects.select_for_update(skip_locked=True).due().order_by("due_at", "pk").first()
    if mail is None:
        return None
    mail.tries += 1
    try:
        _deliver(mail)
    except (SMTPException, OSError, ValueError) as error:  # ValueError: a malformed address or subject
        mail.error = str(error)
        mail.due_at = Now() + wait_after(mail.tries) if mail.tries < MOST_TRIES else None
        log.warning("Mail %d was not sent at try %d: %s", mail.pk, mail.tries, error)
    else:
        mail.text, mail.error, mail.sent_at = "", "", Now()
    mail.save(update_fields=["tries", "error", "due_at", "text", "sent_at"])
    return not mail.error


def wait_after(tries: int) -> timedelta:
    """Return the delay after this many tries: 1 minute, 2, 4, and so on up to 6 hours."""
    return min(timedelta(minutes=2 ** (tries - 1)), LONGEST_WAIT)


def _deliver(mail: Mail) -> None:
    message_id = f"<mail-{mail.pk}-{mail.made_at:%Y%m%d%H%M%S}@{settings.SITE_HOST}>"
    EmailMessage(
        mail.subject,
        mail.text,
        to=[mail.to],
        headers={"Message-ID": message_id, "Auto-Submitted": "auto-generated"},
        connection=get_connection(settings.MAIL_DELIVERY_BACKEND),
    ).send()


SOON = timedelta(hours=48)


@transaction.atomic
def mail_dates() -> None:
    """Queue the mails that are due by the database clock, each once per task and person.

    Queue the report of a newly released task, too. Tasks with ``release_noted_at`` are skipped.
    """
    for task in Task.objects.open_at(Now()).filter(closes_at__lte=Now() + SOON).select_related("track"):
        closes = format_in_zone(task.closes_at, task.time_zone) if task.closes_at else ""
        members = User.objects.filter(memberships__team__track=task.track)
        _mail("task_closing", task, members, closes=closes)
    released = Task.objects.select_for_update(of=("self",), skip_locked=True).released()
    for task in released.filter(release_noted_at__isnull=True).select_related("track"):
        task.release_noted_at = Now()
        task.save(update_fields=["release_noted_at"])
        ask_results(task_id=task.pk)
        teams = task.runs.accepted().values("team")
        _mail("task_released", task, User.objects.filter(memberships__team__in=teams))


def _mail(what: str, task: Task, people: QuerySet[User], **words: str) -> None:
    once = f"{what} {task.pk} "
    known = set(Mail.objects.filter(once__startswith=once).values_list("once", flat=True))
    context = {"task": task, "link": site_link("task_detail", task.track.slug, task.slug), **words}
    for person in people.filter(is_active=True, has_reminders=True).distinct():
        if f"{once}{person.pk}" not in known:
            queue_mail(what=what, to=person.email, context=context, once=f"{once}{person.pk}")


class OutboxBackend(BaseEmailBackend):
    """Stores each message once per recipient; a worker sends it."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages and return their number."""
        for message in email_messages:
            for to in message.recipients():
                store_mail(what="account", to=to, subject=str(message.subject), text=str(message.body))
        return len(email_messages)
