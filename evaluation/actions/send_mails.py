"""Send the mails that are due."""

from __future__ import annotations

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models.functions import Now

from evaluation.models import Mail

log = logging.getLogger(__name__)

MOST_TRIES = 12  # the last about a day after the first
LONGEST_WAIT = timedelta(hours=6)


def send_mails() -> int:
    """Send every mail that is due and that no other worker is sending; return how many went.

    A worker that dies while it sends leaves the row as it was, and the mail goes again. The server may have
    taken it just before: then it comes twice under one Message-ID, by which mail programs know it.
    """
    sent_count = 0
    while (is_sent := _send_next()) is not None:
        sent_count += is_sent
    return sent_count


@transaction.atomic
def _send_next() -> bool | None:
    """Whether the next mail went, or None when none is due."""
    mail = Mail.objects.select_for_update(skip_locked=True).due().order_by("due_at", "pk").first()
    if mail is None:
        return None
    mail.tries += 1
    try:
        _deliver(mail)
    except (SMTPException, OSError) as error:
        mail.error = str(error)
        mail.due_at = Now() + wait_after(mail.tries) if mail.tries < MOST_TRIES else None
        log.warning("Mail %d was not sent at try %d: %s", mail.pk, mail.tries, error)
    else:
        mail.text, mail.error, mail.sent_at = "", "", Now()
    mail.save(update_fields=["tries", "error", "due_at", "text", "sent_at"])
    return not mail.error


def wait_after(tries: int) -> timedelta:
    """How long a mail waits after so many tries: a minute, two, four, and so on up to six hours."""
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
