"""`manage.py backup FILE`: the database and the blobs in one file; in a folder, one of several."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from evaluation.running.hosting.backup import back_up, new_backup_file, remove_old_backups
from evaluation.running.hosting.embedded import SiteCommand


class Command(SiteCommand):
    """The command line of `hosting/backup.py`."""

    help = "Write the database and every blob to one file. The site may keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the options."""
        parser.add_argument("file", type=Path, help="new file, or a folder for files named by the time")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="keep the latest N backups of the folder, remove the others"
        )

    def handle(self, *, file: Path, keep: int | None, **_: Any) -> None:
        """Make the backup, then remove old ones."""
        if keep is not None and (keep < 1 or not file.is_dir()):
            raise CommandError("--keep needs a folder and a number of 1 or more.")
        folder = file if file.is_dir() else None
        if folder:
            file = new_backup_file(folder)
        back_up(file.resolve(), say=self.stdout.write)
        self.stdout.write(f"Wrote {file} ({file.stat().st_size / 1e6:.1f} MB).")
        if folder and keep:
            for removed in remove_old_backups(folder, keep=keep):
                self.stdout.write(f"Removed {removed}.")
