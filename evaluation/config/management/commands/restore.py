"""`manage.py restore FILE`: replace this site by the one in a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from evaluation.running.hosting.backup import latest_backup
from evaluation.running.hosting.database_roles import as_owner, grant_roles
from evaluation.running.hosting.drill import mark_rehearsal
from evaluation.running.hosting.embedded import SiteCommand
from evaluation.running.hosting.restore import restore


class Command(SiteCommand):
    """The command line of `hosting/restore.py`."""

    help = "Restore the file of `backup` into an empty site, or with --replace over this one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the options."""
        parser.add_argument(
            "file", type=Path, help="a file of `manage.py backup`, or its folder for the latest file in it"
        )
        parser.add_argument("--replace", action="store_true", help="replace all data of the site")
        parser.add_argument(
            "--rehearsal", action="store_true", help="mark the site as a copy on which `drill` may run"
        )

    def handle(self, *, file: Path, replace: bool, rehearsal: bool, **_: Any) -> None:
        """Restore it."""
        file = latest_backup(file) if file.is_dir() else file
        with as_owner():
            restore(file.resolve(), replaces=replace, say=self.stdout.write)
            if rehearsal:
                mark_rehearsal()
        grant_roles()
        self.stdout.write(f"Restored {file}. Start the site with `manage.py up`.")
