"""`manage.py doctor`: problems of the site that its operator should fix."""

from typing import Any

from django.core.management.base import CommandError

from evaluation.config.monitoring.doctor import Level, examine
from evaluation.running.hosting.embedded import SiteCommand


class Command(SiteCommand):
    """The command line of `monitoring/doctor.py`."""

    help = (
        "Check the site's setup, and print a line per finding. Exits with 1 for failures, not for warnings."
    )

    def handle(self, **_: Any) -> None:
        """Print the findings."""
        results = list(examine())
        for result in results:
            self.stdout.write(f"{result.level:<8} {result.text}")
        if any(result.level == Level.FAILURE for result in results):
            raise CommandError("Some checks failed; see the lines above.")
