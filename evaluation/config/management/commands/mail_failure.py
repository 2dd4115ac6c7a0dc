"""`manage.py mail_failure`: tell the operator that a unit of systemd failed."""

from argparse import ArgumentParser
from socket import gethostname
from typing import Any

from django.conf import settings
from django.core.mail import get_connection, send_mail
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Sends a mail at once, without the database and the queue, which may be what failed."""

    help = "Mail to OPERATOR_EMAIL that a unit of systemd failed. docker/systemd uses it as OnFailure."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the unit."""
        parser.add_argument("unit", help="name of the unit, such as trackside-backup.service")

    def handle(self, *, unit: str, **_: Any) -> None:
        """Send the mail."""
        if not settings.OPERATOR_EMAIL:
            raise CommandError("Set OPERATOR_EMAIL to the address for reports of failures.")
        send_mail(
            f"{unit} failed on {gethostname()}",
            f"{unit} of the site {settings.SITE_URL} failed. Its log: journalctl --unit={unit} --since=-1d\n",
            settings.DEFAULT_FROM_EMAIL,
            [settings.OPERATOR_EMAIL],
            connection=get_connection(settings.MAIL_DELIVERY_BACKEND),
        )
