"""Statements that are asked many times a second, kept as Django compiled them.

To build and compile a queryset takes Django five to fifteen times what running its statement takes it. Here
that is done once a process, and again for each person who stands differently: permission stays a queryset.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import QuerySet
    from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=tuple[Any, ...])
Shape = ParamSpec("Shape")
MOST_SHAPES = 256  # of one read: the standings of its askers, at some 10 kB each


class Given(Value):
    """Holds the place of a value in a queryset: each run of its statement names it."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """A parameter that is still this object; ``Statement.rows`` puts the value there."""
        return "%s", [self]


class Statement(Generic[Row]):
    """What a queryset of ``values_list`` asks, to be asked again and again.

    A model's own order is left out: it would join tables, and a lock would take their rows too.
    """

    def __init__(self, rows: QuerySet[Any, Row]) -> None:
        compiler = rows.order_by(*rows.query.order_by).query.get_compiler(rows.db)
        self.sql: str = ""
        self.parameters: tuple[Any, ...] = ()
        try:
            self.sql, self.parameters = compiler.as_sql()
        except EmptyResultSet:  # Django knows beforehand that no row can match
            return
        columns = [column for column, *_ in compiler.select]
        self.converters = compiler.get_converters(columns)

    def rows(self, **given: Any) -> list[Row]:
        """The rows for these values; one for each `Given` by its name."""
        if not self.sql:
            return []
        values = [given[each.value] if isinstance(each, Given) else each for each in self.parameters]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, values)
            return [self._converted(row) for row in cursor.fetchall()]

    def first(self, **given: Any) -> Row | None:
        """The first of the rows; null where there is none."""
        return next(iter(self.rows(**given)), None)

    def _converted(self, row: Sequence[Any]) -> Row:
        values = list(row)
        for place, (converters, column) in self.converters.items():
            for convert in converters:
                values[place] = convert(values[place], column, connection)
        return cast("Row", tuple(values))


def kept(build: Callable[Shape, QuerySet[Any, Row]]) -> Callable[Shape, Statement[Row]]:
    """Let a function that builds a queryset give its statement, compiled once for the same arguments."""

    @lru_cache(maxsize=MOST_SHAPES)
    @wraps(build)
    def statement(*shape: Shape.args, **named: Shape.kwargs) -> Statement[Row]:
        return Statement(build(*shape, **named))

    return cast("Callable[Shape, Statement[Row]]", statement)  # what lru_cache forgets
