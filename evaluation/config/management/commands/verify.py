"""`manage.py verify`: check stored files and texts against their recorded hashes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.hosting.embedded import embedded_servers
from evaluation.hosting.verify import differences
from trackside.errors import InputError


class Command(BaseCommand):
    """The command line of `hosting/verify.py`."""

    help = "Compare blobs, qrels and judged texts with their hashes. Exits with 1 if there are differences."

    def handle(self, **_: Any) -> None:
        """Print each difference as it is found."""
        count = 0
        try:
            with embedded_servers():
                for count, line in enumerate(differences(), start=1):  # noqa: B007 - used after the loop
                    self.stdout.write(line)
        except InputError as error:
            raise CommandError(str(error)) from error
        if count:
            raise CommandError(f"Differences: {count}. Compare with an earlier backup.")
        self.stdout.write("Blobs, qrels and judged texts agree with their hashes.")
