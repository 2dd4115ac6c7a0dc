"""`manage.py grant_roles`: grant the database privileges of web and workers."""

from typing import Any

from django.core.management.base import BaseCommand

from evaluation.hosting.database_roles import grant_roles
from evaluation.hosting.embedded import embedded_servers


class Command(BaseCommand):
    """The command line of `hosting/database_roles.py`; `migrate`, `up` and `restore` do the same."""

    help = "Grant the database role of web and workers access to rows, and revoke everything else."

    def handle(self, **_: Any) -> None:
        """Grant the privileges and print the withheld ones."""
        with embedded_servers():
            lines = grant_roles()
        for line in lines or ["The site has one database role: set DATABASE_OWNER_URL. Nothing was changed."]:
            self.stdout.write(line)
