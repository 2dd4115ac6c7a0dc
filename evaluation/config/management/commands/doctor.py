"""`manage.py doctor`: problems of the site that its operator should fix."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.config.monitoring.doctor import Level, examine
from evaluation.core.errors import InputError
from evaluation.hosting.embedded import embedded_servers


class Command(BaseCommand):
    """Thin: the checks are in doctor.py."""

    help = (
        "Check the site's setup: a line for each finding. Exits with 1 where something fails; warnings pass."
    )

    def handle(self, **_: Any) -> None:
        """Print the findings."""
        try:
            with embedded_servers():
                found = list(examine())
        except InputError as error:
            raise CommandError(str(error)) from error
        for each in found:
            self.stdout.write(f"{each.level:<8} {each.text}")
        if any(each.level == Level.FAILURE for each in found):
            raise CommandError("Something fails; see the lines above.")
