"""`manage.py backup FILE`: the database and the blobs in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.config.backup import back_up
from evaluation.config.embedded import embedded_servers
from evaluation.core.errors import InputError


class Command(BaseCommand):
    """Thin: see backup.py."""

    help = "Write the database and every blob to one file. The site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the file."""
        parser.add_argument("file", type=Path, help="file to make; it must not exist")

    def handle(self, *, file: Path, **_: Any) -> None:
        """Make the backup."""
        try:
            with embedded_servers():
                back_up(file.resolve(), say=self.stdout.write)
        except InputError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Wrote {file} ({file.stat().st_size / 1e6:.1f} MB).")
