"""Have a mail sent, soon and without waiting for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from evaluation.actions.enqueue import enqueue
from evaluation.models import Mail

if TYPE_CHECKING:
    from collections.abc import Mapping


def queue_mail(*, what: str, to: str, context: Mapping[str, Any], once: str = "") -> None:
    """Keep the mail of ``templates/mail/<what>.txt``, whose first line is the subject, until it is sent.

    With the transaction at hand it is kept or forgotten. What was kept for ``once`` before is not kept again.
    """
    subject, _, text = render_to_string(f"mail/{what}.txt", dict(context)).strip().partition("\n")
    store_mail(what=what, to=to, subject=subject, text=text.strip() + "\n", once=once)


def store_mail(*, what: str, to: str, subject: str, text: str, once: str = "") -> None:
    """Keep a mail that is written already."""
    mail = Mail(what=what, to=to, subject=subject[:255], text=text, once=once)
    Mail.objects.bulk_create([mail], ignore_conflicts=bool(once))
    enqueue("evaluation.mail_send")


def site_link(name: str, *args: object) -> str:
    """An address of the site for a mail."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"
