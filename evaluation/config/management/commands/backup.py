"""`manage.py backup FILE`: the database and the blobs in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.core.errors import InputError
from evaluation.hosting.backup import back_up
from evaluation.hosting.embedded import embedded_servers


class Command(BaseCommand):
    """Thin: see backup.py."""

    help = "Write the database and every blob to one file. The site may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the file and who can decrypt it."""
        parser.add_argument("file", type=Path, help="file to create; it must not exist")
        parser.add_argument(
            "--encrypt-to",
            action="append",
            default=[],
            metavar="KEY",
            help="a public key of age, or of SSH, that can decrypt the file; may be given several times",
        )

    def handle(self, *, file: Path, encrypt_to: list[str], **_: Any) -> None:
        """Make the backup."""
        try:
            with embedded_servers():
                back_up(file.resolve(), say=self.stdout.write, recipients=encrypt_to)
        except InputError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Wrote {file} ({file.stat().st_size / 1e6:.1f} MB).")
