"""`manage.py migrate`: Django's command as the database's owner, between check_schema and grant_roles."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoCommand

from evaluation.running.hosting.database_roles import as_owner, grant_roles
from evaluation.running.hosting.schema import check_schema
from trackside.errors import InputError


class Command(DjangoCommand):
    """Django's command with the two database roles of `hosting/database_roles.py`."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse an unreleased state, migrate as the owner, then grant the roles their privileges."""
        with as_owner():
            try:
                check_schema()
            except InputError as error:
                raise CommandError(str(error)) from error
            super().handle(*args, **options)
        grant_roles()
