"""`manage.py status`: what the site does now."""

from typing import Any

from evaluation.config.monitoring.probes import readings
from evaluation.running.hosting.embedded import SiteCommand


class Command(SiteCommand):
    """The command line of `monitoring/probes.py`."""

    help = "Print queues, workers, waiting work, jobs, money, disk and the last backup, one number per line."

    def handle(self, **_: Any) -> None:
        """Print the readings in columns."""
        for sample in list(readings()):
            labels = " ".join(sample.labels.values())
            self.stdout.write(f"{sample.metric:<30} {labels:<20} {sample.value:>16,.10g}  {sample.about}")
