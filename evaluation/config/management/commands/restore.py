"""`manage.py restore FILE`: the site of a backup, in the place of this one."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.config.embedded import embedded_servers
from evaluation.config.restore import restore
from evaluation.core.errors import InputError


class Command(BaseCommand):
    """Thin: see restore.py."""

    help = "Restore the file of `backup` into an empty site, or with --replace in the place of this one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the file, and whether the site may be replaced."""
        parser.add_argument("file", type=Path, help="a file of `manage.py backup`")
        parser.add_argument("--replace", action="store_true", help="replace everything that the site holds")

    def handle(self, *, file: Path, replace: bool, **_: Any) -> None:
        """Restore it."""
        try:
            with embedded_servers():
                restore(file, replaces=replace, say=self.stdout.write)
        except InputError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored {file}. Start the site with `manage.py up`.")
