"""`manage.py up`: run the whole site until Ctrl-C."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.config.running_site import Site, run_site
from evaluation.core.errors import InputError


class Command(BaseCommand):
    """Thin: what runs, and in which order, stands in running_site.py."""

    help = "Run the whole site: database, queue, migrations, web, workers and beat. Ctrl-C stops it in order."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the address."""
        parser.add_argument("--host", default=Site.host, help="address to serve on (%(default)s)")
        parser.add_argument(
            "--port", type=int, default=Site.port, help="port, 0 for any free one (%(default)s)"
        )

    def handle(self, *, host: str, port: int, **_: Any) -> None:
        """Run it; Ctrl-C and SIGTERM are the ordinary end."""
        began = time.monotonic()

        def announce(address: str) -> None:
            seconds = time.monotonic() - began
            self.stdout.write(f"Trackside is ready on {address} after {seconds:.1f} s. Ctrl-C stops it.")
            self.stdout.flush()

        try:
            run_site(Site(host=host, port=port), announce)
        except InputError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stdout.write("Trackside has stopped.")
