"""Keeps rows of tables that a migration drops, as JSON in ``evaluation_retiredrow``."""

from typing import LiteralString

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from psycopg import sql

LOCK: LiteralString = "LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"
KEEP: LiteralString = """
    INSERT INTO evaluation_retiredrow (source, track_id, content)
    SELECT {name}, ({track}), to_jsonb(kept) FROM {table} AS kept WHERE {where} ORDER BY {key}
"""
COUNTS: LiteralString = """
    SELECT (SELECT count(*) FROM {table} AS kept WHERE {where}),
    (SELECT count(*) FROM evaluation_retiredrow WHERE source = {name})
"""


def retired_rows(
    table: str, *, track: LiteralString = "NULL", where: LiteralString = "true", key: str = "id"
) -> RunPython:
    """Return the operation that copies rows of the table; later operations of the migration remove them.

    Call it once a table: it raises RuntimeError, and so undoes the migration, unless each row is kept.

    Args:
        table: the table. Call it for the table of audit events as well, with the key ``pgh_id``.
        track: SQL of the track's key; the row is ``kept``.
        where: SQL that chooses rows of a table that stays.
        key: the column that gives the order.
    """

    def keep(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        parts = {
            "table": sql.Identifier(table),
            "name": sql.Literal(table),
            "key": sql.Identifier("kept", key),
            "track": sql.SQL(track),
            "where": sql.SQL(where),
        }
        with editor.connection.cursor() as cursor:
            for statement in (LOCK, KEEP, COUNTS):
                cursor.execute(sql.SQL(statement).format(**parts).as_string())
            row_count, kept_count = cursor.fetchone()
        if row_count != kept_count:
            raise RuntimeError(f"{table} has {row_count} rows, and {kept_count} were kept")

    return RunPython(keep, RunPython.noop)
