"""Long work on rows: store many with one COPY."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models
from psycopg import sql


def copy_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Store rows, given as values of these columns, with one COPY; return their number.

    Other columns get the database's defaults. Constraints and triggers apply as for an INSERT; signals and
    ``save`` do not.
    """
    table = sql.Identifier(model._meta.db_table)  # noqa: SLF001 - Django's documented way to a table's name
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(table, names)
    with connection.cursor() as cursor:
        with cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
        return int(cursor.rowcount)
