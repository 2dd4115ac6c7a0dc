"""Checks of a site for its operator: one function per check, one line per finding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from evaluation.core.measures.plugged import broken_families
from evaluation.demo.steps.people import open_accounts, public_hosts
from evaluation.hosting.database_roles import has_two_roles, kept_tables
from judges.registry import broken_backends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Level(StrEnum):
    """Severity of a finding."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True)
class CheckResult:
    """The result of a check, in one line that says how to fix it."""

    level: Level
    text: str


def check_database() -> Iterator[CheckResult]:
    """The database is reachable and has every migration."""
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        yield CheckResult(Level.FAILURE, f"database: it does not answer ({str(error).strip()})")
        return
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if missing:
        yield CheckResult(
            Level.FAILURE, f"database: {missing} migrations are missing. Run `manage.py migrate`."
        )
    else:
        yield CheckResult(Level.OK, "database: it answers, and every migration is applied")


def check_roles() -> Iterator[CheckResult]:
    """The role of web and workers owns no table and cannot rewrite the record."""
    owned = list(_ownership())
    found = [*owned, *_excess_privileges()]
    if not found:
        yield CheckResult(Level.OK, "roles: web and workers own nothing and cannot rewrite the record")
    elif owned and not has_two_roles():
        yield CheckResult(
            Level.WARNING,
            "roles: one database role owns the tables and serves pages, so an attacker who has it can "
            "rewrite the record. Make a second role, name it in DATABASE_URL and the owner in "
            "DATABASE_OWNER_URL, and run `manage.py grant_roles`.",
        )
    else:
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        yield CheckResult(
            Level.FAILURE,
            f"roles: the role of web and workers {'; '.join(found[:3])}{more}. Run `manage.py grant_roles` "
            "where DATABASE_OWNER_URL is set.",
        )


def _ownership() -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            yield "is a superuser"
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            " AND pg_has_role(current_user, tableowner, 'MEMBER') ORDER BY tablename"
        )
        yield from (f"owns {name}" for (name,) in cursor.fetchall())


def _excess_privileges() -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            " AND has_table_privilege(format('%I.%I', schemaname, tablename), 'TRUNCATE') ORDER BY tablename"
        )
        yield from (f"may truncate {name}" for (name,) in cursor.fetchall())
        for table, privileges in sorted(kept_tables().items()):
            for privilege in privileges:
                cursor.execute("SELECT has_table_privilege(%s, %s)", [table, privilege])
                if cursor.fetchone()[0]:
                    yield f"may {privilege.lower()} rows of {table}"


def check_plugins() -> Iterator[CheckResult]:
    """Measures and judges of other packages can be used."""
    broken = [*broken_families(), *broken_backends()]
    for fault in broken:
        yield CheckResult(Level.FAILURE, f"plugins: {fault}")
    if not broken:
        yield CheckResult(Level.OK, "plugins: every measure and judge of other packages can be used")


def check_accounts() -> Iterator[CheckResult]:
    """No account has the password that the demo prints, unless only this machine reaches the site."""
    found = open_accounts()
    if not found:
        yield CheckResult(Level.OK, "accounts: none has the password that the demo prints")
        return
    yield CheckResult(
        Level.FAILURE if public_hosts() else Level.WARNING,
        f"accounts: everybody knows the password of {', '.join(found)}, from the demo. Serve another "
        "TRACKSIDE_VAR, or deactivate these accounts.",
    )


CHECKS: tuple[Callable[[], Iterator[CheckResult]], ...] = (
    check_database,
    check_roles,
    check_plugins,
    check_accounts,
)


def examine() -> Iterator[CheckResult]:
    """Run all checks; stop after the first if the database is unreachable or not migrated."""
    for check in CHECKS:
        for finding in check():
            yield finding
            if check is check_database and finding.level == Level.FAILURE:
                return
