"""`manage.py doctor`: problems of the site that its operator should fix."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.config.monitoring.doctor import Level, examine
from evaluation.hosting.embedded import embedded_servers
from trackside.errors import InputError


class Command(BaseCommand):
    """The command line of `monitoring/doctor.py`."""

    help = (
        "Check the site's setup, and print a line per finding. Exits with 1 for failures, not for warnings."
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
            raise CommandError("Some checks failed; see the lines above.")
