"""A mail backend that queues in the table of mails, also for django-allauth's mails."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from evaluation.mail.actions import store_mail


class OutboxBackend(BaseEmailBackend):
    """Stores each message once per recipient; a worker sends it."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages and return their number."""
        for message in email_messages:
            for to in message.recipients():
                store_mail(what="account", to=to, subject=str(message.subject), text=str(message.body))
        return len(email_messages)
