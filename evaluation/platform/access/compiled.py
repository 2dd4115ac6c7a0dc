"""Cache of compiled SQL for hot querysets.

Django takes 5 to 15 times as long to build and compile a queryset as to run its statement. This module
compiles each queryset once per process and permission key, so that permissions can stay querysets. PostgreSQL
parses and plans each statement once per connection: planning takes 2 to 10 times as long as running.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, Generic, ParamSpec, TypeVar, cast

import psycopg
from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=tuple[Any, ...])
Shape = ParamSpec("Shape")
MOST_SHAPES = 256  # maximum cached statements of a function, one per permission key; about 10 kB each


class Given(Value):
    """Placeholder for a value in a compiled queryset; each run of the statement passes the value."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """Pass this object as the parameter; ``Statement.rows`` replaces it by the value."""
        return "%s", [self]


class Statement(Generic[Row]):
    """Compiled SQL of a ``values_list`` queryset.

    The model's default ordering is dropped: it would join tables, and a lock would cover their rows.
    """

    def __init__(self, rows: QuerySet[Any, Row]) -> None:
        compiler = rows.order_by(*rows.query.order_by).query.get_compiler(rows.db)
        self.sql: str = ""
        self.parameters: tuple[Any, ...] = ()
        try:
            self.sql, self.parameters = compiler.as_sql()
        except EmptyResultSet:  # Django raises it if no row can match
            return
        columns = [column for column, *_ in compiler.select]
        self.converters = compiler.get_converters(columns)

    def rows(self, **params: Any) -> list[Row]:
        """Return the rows; ``params`` has the value of each `Given` under its name."""
        if not self.sql:
            return []
        values = [params[part.value] if isinstance(part, Given) else part for part in self.parameters]
        with _prepared_cursor() as cursor:
            cursor.execute(self.sql, values)
            return [self._converted(row) for row in cursor.fetchall()]

    def first(self, **params: Any) -> Row | None:
        """Return the first row, or None if there is none."""
        return next(iter(self.rows(**params)), None)

    def _converted(self, row: Sequence[Any]) -> Row:
        values = list(row)
        for index, (converters, column) in self.converters.items():
            for convert in converters:
                values[index] = convert(values[index], column, connection)
        return cast("Row", tuple(values))


class PreparedCursor(psycopg.Cursor[Any]):
    """Cursor that prepares a statement at its first run; Django's own cursor binds values in the client."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> PreparedCursor:
        """Run the statement as a prepared one."""
        return super().execute(query, params, prepare=True, **options)


def _prepared_cursor() -> CursorWrapper:
    """Return a ``PreparedCursor`` in Django's wrapper, which translates errors.

    Return Django's own cursor behind a pooler, because there the next run may use another session, and while
    Django logs statements, because only its own cursor logs their values.
    """
    database = connections[DEFAULT_DB_ALIAS]  # faster than `connection`, which looks it up at each access
    if database.queries_logged or database.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"):
        return database.cursor()
    database.ensure_connection()
    database.connection.prepare_threshold = 0  # Django sets None, which turns preparing off
    return CursorWrapper(PreparedCursor(database.connection), database)


def compiled(build: Callable[Shape, QuerySet[Any, Row]]) -> Callable[Shape, Statement[Row]]:
    """Decorate a function that builds a queryset: it returns the compiled statement, cached by arguments."""

    @lru_cache(maxsize=MOST_SHAPES)
    @wraps(build)
    def statement(*shape: Shape.args, **named: Shape.kwargs) -> Statement[Row]:
        return Statement(build(*shape, **named))

    return cast("Callable[Shape, Statement[Row]]", statement)  # lru_cache drops the signature
