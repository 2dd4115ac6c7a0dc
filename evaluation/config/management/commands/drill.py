"""`manage.py drill`: break each part of a rehearsal copy while runs are uploaded, and count what is lost."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.running.hosting.drill import drill
from trackside.errors import InputError


class Command(BaseCommand):
    """The command line of `hosting/drill.py`."""

    help = (
        "Kill each part, the queue and the database of a rehearsal copy, and fill its disk, while runs are "
        "uploaded. Prints acknowledged = stored, or exits with 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the port."""
        parser.add_argument("--port", type=int, default=8765, help="port of the copy (%(default)s)")

    def handle(self, *, port: int, **_: Any) -> None:
        """Run the drill."""
        try:
            drill(self.stdout.write, port=port)
        except InputError as error:
            raise CommandError(str(error)) from error
