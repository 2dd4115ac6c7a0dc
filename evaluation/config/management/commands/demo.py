"""`manage.py demo`: a small track from its first run to its reports, then the site that shows it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.running.demo.steps.show import show_demo
from evaluation.running.demo.world import drawn_world, photo_world
from trackside.errors import InputError

WORLDS = {"drawn": drawn_world, "photos": photo_world}


class Command(BaseCommand):
    """The command line of `demo/steps/`."""

    help = "Build a small track with runs, grades and reports, print the finding, and serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument(
            "--world", choices=WORLDS, default="drawn", help="which pictures: drawn, or photos (%(default)s)"
        )
        parser.add_argument("--no-serve", action="store_false", dest="serve", help="end after the reports")
        parser.add_argument("--port", type=int, default=8000, help="port, 0 for any free one (%(default)s)")

    def handle(self, *, world: str, serve: bool, port: int, **_: Any) -> None:
        """Run the demo; Ctrl-C is a normal exit."""
        try:
            show_demo(self._say, WORLDS[world](), port=port if serve else None)
        except InputError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. Run it again to continue from here.", returncode=130) from None

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
