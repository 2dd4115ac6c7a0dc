"""`manage.py grant_roles`: grant the database privileges of web and workers."""

from typing import Any

from evaluation.running.hosting.database_roles import grant_roles
from evaluation.running.hosting.embedded import SiteCommand


class Command(SiteCommand):
    """The command line of `hosting/database_roles.py`; `migrate`, `up` and `restore` do the same."""

    help = "Grant the database role of web and workers access to rows, and revoke everything else."

    def handle(self, **_: Any) -> None:
        """Grant the privileges and print the withheld ones."""
        for line in grant_roles() or [
            "The site has one database role: set DATABASE_OWNER_URL. Nothing was changed."
        ]:
            self.stdout.write(line)
