"""Queue mails in the transaction that causes them, and send them."""

import logging
import time
from collections.abc import Mapping
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse

from evaluation.mail.models import Mail
from evaluation.work.queueing import enqueue


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


def sends_mail() -> bool:
    """Whether the site has a mail server; without one, mails are printed in the worker's log."""
    return not settings.MAIL_DELIVERY_BACKEND.endswith("console.EmailBackend")


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
