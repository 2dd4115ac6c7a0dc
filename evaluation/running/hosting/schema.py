"""Compares the schema of the database with the one that its recorded migrations create."""

import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import LiteralString

from django.db import OperationalError, ProgrammingError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from trackside.errors import InputError

OURS = ("evaluation", "assessment", "judges")  # the apps whose migrations are ours
TRIAL = "trackside_trial"  # a schema that is rolled back
SHOWN = 5  # differences in an error
CASTS = re.compile(r"::[a-z]+(?: [a-z]+)*(?:\[\])?|[()]")
# Columns, constraints, indexes and triggers of the first schema in search_path, each with its table.
# PostgreSQL 18 lists NOT NULL among the constraints; here it is part of the column. Django creates
# django_migrations when it first needs it.
LINES: LiteralString = """
    WITH ours AS (
        SELECT oid, relname FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
        AND relname <> 'django_migrations'
    )
    SELECT relname, concat_ws(' ', 'column', relname || '.' || attname, format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'NOT NULL' END, nullif(attidentity, ''), nullif(attgenerated, ''),
        'COLLATE ' || nullif(attcollation, 0)::regcollation,
        'DEFAULT ' || pg_get_expr(adbin, adrelid, true))
    FROM ours JOIN pg_attribute ON attrelid = ours.oid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT relname, concat_ws(' ', 'constraint', conname, 'on', relname,
        pg_get_constraintdef(pg_constraint.oid, true))
    FROM ours JOIN pg_constraint ON conrelid = ours.oid WHERE contype NOT IN ('n', 't')
    UNION ALL
    SELECT relname, 'index ' || pg_get_indexdef(indexrelid, 0, true)
    FROM ours JOIN pg_index ON indrelid = ours.oid
    UNION ALL
    SELECT relname, concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(pg_trigger.oid, true), prosrc)
    FROM ours JOIN pg_trigger ON tgrelid = ours.oid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal
"""


def check_schema() -> None:
    """Raise InputError if the schema is not the one of the recorded migrations."""
    names = [f"this release has no migration {name}" for name in unknown_migrations()]
    if differences := names or _differences(MigrationRecorder(connection).applied_migrations()):
        more = f" and {len(differences) - SHOWN} more" if len(differences) > SHOWN else ""
        raise InputError(
            "This database is of an unreleased state, or of a newer release: "
            f"{'; '.join(differences[:SHOWN])}{more}. Nothing was changed. Restore a backup that a release "
            "made (manage.py restore --replace FILE), or begin with an empty database."
        )


def unknown_migrations() -> list[str]:
    """Return the recorded migrations of our apps that this release does not have."""
    recorded = MigrationRecorder(connection).applied_migrations().keys()
    unknown = sorted(recorded - _released())
    return [f"{app}.{name}" for app, name in unknown if app in OURS]


def _differences(recorded: Iterable[tuple[str, str]]) -> list[str]:
    """Name what is missing or unknown in the tables of these migrations, and in others named like ours."""
    actual, expected = schema_lines(), _expected_lines(recorded)
    tables = {table for table, _ in expected}
    prefixes = tuple(f"{app}_" for app in OURS)
    unknown = {
        (table, line) for table, line in actual - expected if table in tables or table.startswith(prefixes)
    }
    missing = sorted(f"missing: {line}" for _, line in expected - actual)
    return missing + sorted(f"unknown: {line}" for _, line in unknown)


def _expected_lines(recorded: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Run the migrations in a schema of their own, so that the same server writes both texts."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {TRIAL}")
        cursor.execute(f"SET LOCAL search_path TO {TRIAL}")
        run_exactly(recorded)
        lines = schema_lines()
        transaction.set_rollback(True)
    return lines


@cache
def _released() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def missing_migrations() -> list[str]:
    """Return the migrations of this release, of every app, that are not recorded."""
    recorded = MigrationRecorder(connection).applied_migrations().keys()
    return [f"{app}.{name}" for app, name in sorted(_released() - recorded)]


def schema_fault() -> str:
    """Return why this release cannot use the database; "" if their migrations are the same."""
    if unknown := unknown_migrations():
        return (
            f"The database has the migrations {', '.join(unknown)}, which this release does not know: it is "
            "of a newer release or of an unreleased state. Use that release, or restore a backup of this one."
        )
    if missing := missing_migrations():
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        return f"The database lacks the migrations {', '.join(missing[:SHOWN])}{more}. Run manage.py migrate."
    return ""


def refuse_unknown_migrations() -> None:
    """End the process with words if the database has unknown migrations; not if it does not answer."""
    try:
        if unknown_migrations():
            sys.exit(schema_fault())
    except (OperationalError, ProgrammingError):  # or its privileges are missing: pages and /ready say so
        pass
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # its threads do not survive gunicorn's forks


def schema_lines() -> set[tuple[str, str]]:
    """Return each column, constraint, index and trigger as text, with the name of its table."""
    with connection.cursor() as cursor:
        cursor.execute(LINES)
        return {(table, without_casts(line)) for table, line in cursor.fetchall()}


def without_casts(line: str) -> str:
    """Return the text without casts and parentheses, because pg_dump and psql move them within conditions."""
    return CASTS.sub("", line)


def run_exactly(migrations: Iterable[tuple[str, str]]) -> None:
    """Run these migrations and no others, in the order of their dependencies."""
    executor = MigrationExecutor(connection)
    wanted = set(migrations)
    known = {key: node for key, node in executor.loader.graph.node_map.items() if key in wanted}
    executor.migrate([key for key, node in known.items() if not any(c.key in wanted for c in node.children)])
