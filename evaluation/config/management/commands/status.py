"""`manage.py status`: what the site does now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.config.monitoring.readings import readings
from evaluation.hosting.embedded import embedded_servers
from trackside.errors import InputError


class Command(BaseCommand):
    """The command line of `monitoring/readings.py`."""

    help = "Print queues, workers, waiting work, jobs, money, disk and the last backup, one number per line."

    def handle(self, **_: Any) -> None:
        """Print the readings in columns."""
        try:
            with embedded_servers():
                found = list(readings())
        except InputError as error:
            raise CommandError(str(error)) from error
        for each in found:
            labels = " ".join(each.labels.values())
            self.stdout.write(f"{each.metric:<30} {labels:<20} {each.value:>16,.10g}  {each.about}")
