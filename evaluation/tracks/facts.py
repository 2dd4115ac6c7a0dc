"""Facts of a task, such as counts and lists, that one statement reads for several parts of a page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from django.db.models import BigIntegerField, QuerySet, Subquery
from django.db.models.expressions import BaseExpression

from evaluation.platform.access.compiled import Given, Statement
from evaluation.tracks.models import Task, TaskKind

Facts = Mapping[str, Any]
# A function that returns expressions on a row of Task by name; querysets in them use OuterRef.
FactSource = Callable[[TaskKind], Mapping[str, BaseExpression]]


class CountOf(Subquery):
    """The number of rows of a queryset; counting ends at ``most``."""

    template = "(SELECT count(*) FROM (%(subquery)s) AS counted)"
    output_field = BigIntegerField()

    def __init__(self, rows: QuerySet[Any, Any], *, most: int | None = None) -> None:
        super().__init__(rows.order_by().values("pk")[:most])


def no_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """The source of readers that need no fact."""
    return {}


def read_facts(task: Task, sources: Iterable[FactSource]) -> list[Facts]:
    """Return the facts of each source, in order, all read in one statement."""
    statement, names = _statement(tuple(sources), TaskKind(task.kind))
    if not any(names):
        return [{} for _ in names]
    (row,) = statement.rows(task=task.pk)
    values = iter(row)
    return [dict(zip(of_source, islice(values, len(of_source)), strict=True)) for of_source in names]


@lru_cache(maxsize=256)
def _statement(
    sources: tuple[FactSource, ...], kind: TaskKind
) -> tuple[Statement[tuple[Any, ...]], Sequence[Sequence[str]]]:
    """Return the compiled statement, and the names of each source's columns."""
    expressions = [source(kind) for source in sources]
    columns: list[Any] = [expression for named in expressions for expression in named.values()]
    rows = Task.objects.filter(pk=Given("task")).values_list(*columns or ["pk"])
    return Statement(rows), [list(named) for named in expressions]
