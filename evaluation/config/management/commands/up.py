"""`manage.py up`: run the whole site until Ctrl-C."""

import time
from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.running.hosting.running_site import HOST, PORT, run_site
from trackside.errors import InputError


def port_of(address: str) -> int:
    """Return the port of an http address, else the default, because https needs a proxy in front."""
    parts = urlsplit(address)
    return parts.port or PORT if parts.scheme == "http" else PORT


class Command(BaseCommand):
    """The command line of `hosting/running_site.py`."""

    help = "Run the whole site: database, queue, migrations, web, workers and beat. Ctrl-C stops it in order."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address to serve on."""
        parser.add_argument("--host", default=HOST, help="address to serve on (%(default)s)")
        parser.add_argument(
            "--port",
            type=int,
            default=port_of(settings.SITE_URL),
            help="port, 0 for any free one (%(default)s; the port of an http SITE_URL)",
        )

    def handle(self, *, host: str, port: int, **_: Any) -> None:
        """Run the site; Ctrl-C and SIGTERM are normal exits."""
        began = time.monotonic()

        def announce(address: str) -> None:
            seconds = time.monotonic() - began
            self.stdout.write(f"Trackside is ready on {address} after {seconds:.1f} s. Ctrl-C stops it.")
            self.stdout.flush()

        try:
            run_site(announce, host=host, port=port)
        except InputError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stdout.write("Trackside has stopped.")
