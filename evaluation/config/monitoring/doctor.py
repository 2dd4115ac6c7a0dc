"""Checks of a site for its operator: one function per check, one line per finding."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import psycopg
from django.conf import settings
from django.db import OperationalError, connection

from evaluation.config.monitoring.probes import queue_answers, storage_fault
from evaluation.running.demo.steps.track import open_accounts, public_hosts
from evaluation.running.hosting.addresses import django_database, open_session
from evaluation.running.hosting.database_roles import has_two_roles, kept_tables
from evaluation.running.hosting.schema import schema_fault
from trackside.backends.registry import broken_backends
from trackside.measuring.names import broken_families


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


OK, WARNING, FAILURE = (partial(CheckResult, level) for level in Level)


def check_database() -> Iterator[CheckResult]:
    """Check that the database is reachable and has every migration."""
    try:
        fault = schema_fault()
    except OperationalError as error:
        yield FAILURE(f"database: it does not answer ({str(error).strip()})")
        return
    if fault:
        yield FAILURE(f"database: {fault}")
    else:
        yield OK("database: it answers, and every migration is applied")


def check_roles() -> Iterator[CheckResult]:
    """Check that the role of web and workers owns no table and cannot rewrite the record."""
    owned = list(_ownership())
    faults = [*owned, *_excess_privileges()]
    if not faults:
        yield OK("roles: web and workers own nothing and cannot rewrite the record")
    elif owned and not has_two_roles():
        yield WARNING(
            "roles: one database role owns the tables and serves pages, so an attacker who has it can "
            "rewrite the record. Create a second role for DATABASE_URL, set DATABASE_OWNER_URL to the owner, "
            "and run `manage.py grant_roles`."
        )
    else:
        more = f" and {len(faults) - 3} more" if len(faults) > 3 else ""
        yield FAILURE(
            f"roles: the role of web and workers {'; '.join(faults[:3])}{more}. Run `manage.py grant_roles` "
            "where DATABASE_OWNER_URL is set."
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


def check_queue() -> Iterator[CheckResult]:
    """Check that the message broker accepts a connection."""
    if queue_answers():
        yield OK("queue: it answers")
    else:
        yield FAILURE("queue: it does not answer. Start it, or correct BROKER_URL.")


def check_storage() -> Iterator[CheckResult]:
    """Check that uploads can be stored."""
    if fault := storage_fault():
        yield FAILURE(f"storage: it {fault}. Uploads fail; see TRACKSIDE_VAR, and S3_BUCKET where it is set.")
    else:
        yield OK("storage: it answers and has space")


def check_pooler() -> Iterator[CheckResult]:
    """Check that the pooler of web processes answers and limits statements."""
    if not settings.DATABASE_POOLER_URL:
        yield OK("pooler: none is set")
        return
    try:
        with open_session(django_database(settings.DATABASE_POOLER_URL)) as session:
            [limit] = session.execute("SHOW statement_timeout").fetchone() or ["0"]
            [jit] = session.execute("SHOW jit").fetchone() or ["off"]
    except psycopg.OperationalError as error:
        yield FAILURE(f"pooler: it does not answer ({str(error).strip()})")
        return
    if limit == "0":
        yield WARNING(
            "pooler: it sets no statement_timeout, so a page may use the database for minutes. Set "
            "connect_query as docker/pgbouncer.ini does."
        )
    elif jit == "on":
        yield WARNING(
            "pooler: its sessions compile statements (jit), which takes longer than to run them. Set "
            "connect_query as docker/pgbouncer.ini does."
        )
    else:
        yield OK(f"pooler: it answers, and PostgreSQL ends a statement after {limit}")


def check_plugins() -> Iterator[CheckResult]:
    """Check that measures and judges of other packages can be used."""
    broken = [*broken_families(), *broken_backends()]
    for fault in broken:
        yield FAILURE(f"plugins: {fault}")
    if not broken:
        yield OK("plugins: every measure and judge of other packages can be used")


def check_accounts() -> Iterator[CheckResult]:
    """Check that no account has the password that the demo prints; on a local site, only warn."""
    accounts = open_accounts()
    if not accounts:
        yield OK("accounts: none has the password that the demo prints")
        return
    yield (FAILURE if public_hosts() else WARNING)(
        f"accounts: everybody knows the password of {', '.join(accounts)}, from the demo. Serve another "
        "TRACKSIDE_VAR, or deactivate these accounts."
    )


def check_proxy() -> Iterator[CheckResult]:
    """Check that a proxy is in front of a public site; without one, slow readers hold threads."""
    if settings.BEHIND_PROXY:
        yield OK("proxy: the site expects one in front")
    elif hosts := public_hosts():
        yield WARNING(
            f"proxy: none is in front of {', '.join(hosts)}, so clients that do not read their responses "
            "hold threads for 10 s each. Start nginx with docker/nginx.conf, and set BEHIND_PROXY=yes."
        )
    else:
        yield OK("proxy: not needed, only this machine reaches the site")


CHECKS: tuple[Callable[[], Iterator[CheckResult]], ...] = (
    check_database,
    check_roles,
    check_queue,
    check_storage,
    check_pooler,
    check_plugins,
    check_accounts,
    check_proxy,
)


def examine() -> Iterator[CheckResult]:
    """Run all checks; stop after the first if the database is unreachable or not migrated."""
    for check in CHECKS:
        for finding in check():
            yield finding
            if check is check_database and finding.level == Level.FAILURE:
                return
