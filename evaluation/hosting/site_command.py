"""Base of the commands of a site: they run with its servers, and an InputError is their error."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.hosting.embedded import embedded_servers
from trackside.errors import InputError


class SiteCommand(BaseCommand):
    """A command that uses the database; it starts the embedded servers unless the site runs."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command, and turn an InputError into a CommandError."""
        try:
            with embedded_servers():
                return super().execute(*args, **options)
        except InputError as error:
            raise CommandError(str(error)) from error
