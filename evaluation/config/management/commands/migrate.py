"""`manage.py migrate`: Django's command as the database's owner, then grant_roles."""

from typing import Any

from django.core.management.commands.migrate import Command as DjangoCommand

from evaluation.hosting.database_roles import as_owner, grant_roles


class Command(DjangoCommand):
    """Django's command with the two database roles of `hosting/database_roles.py`."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate as the owner, then grant the roles their privileges."""
        with as_owner():
            super().handle(*args, **options)
        grant_roles()
