"""`manage.py verify`: check stored files and texts against their recorded hashes."""

from typing import Any

from django.core.management.base import CommandError

from evaluation.running.hosting.embedded import SiteCommand
from evaluation.running.hosting.verify import differences


class Command(SiteCommand):
    """The command line of `hosting/verify.py`."""

    help = "Compare blobs, qrels and judged texts with their hashes. Exits with 1 if there are differences."

    def handle(self, **_: Any) -> None:
        """Print each difference as it is found."""
        count = 0
        for count, line in enumerate(differences(), start=1):  # noqa: B007 - used after the loop
            self.stdout.write(line)
        if count:
            raise CommandError(f"Differences: {count}. Compare with an earlier backup.")
        self.stdout.write("Blobs, qrels and judged texts agree with their hashes.")
