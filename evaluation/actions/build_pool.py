"""Freeze the set of pairs that people and models will grade."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import connection, transaction

from evaluation.core.errors import InputError
from evaluation.core.pooling import depth_pool, presentation_order
from evaluation.models import Pool, PoolItem, PoolRun, Ranking, Run, Task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.models import User


class NoRunsToPool(InputError):
    """No accepted run was chosen."""


class PoolNameTaken(InputError):
    """The task has a pool of that name."""


@transaction.atomic
def build_pool(
    *, task: Task, name: str, seed: int, by: User, depths: Mapping[int, int] | None = None
) -> Pool:
    """Freeze a depth pool of the task's accepted runs.

    ``depths`` gives the depth by the run's primary key and leaves other runs out; None takes each run to the
    depth set for it. ``seed`` fixes the order of the items. Raises NoRunsToPool, PoolNameTaken.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if task.pools.filter(name=name).exists():
        raise PoolNameTaken(f"{task} has a pool {name} already, and pools are frozen. Choose another name.")
    depth_of = _depths(task, depths)
    pool = Pool.objects.create(task=task, name=name, seed=seed, created_by=by)
    PoolRun.objects.bulk_create(PoolRun(pool=pool, run=run, depth=depth) for run, depth in depth_of.items())
    _copy_items(pool, _ordered(_pooled(depth_of), seed))
    return pool


def _depths(task: Task, depths: Mapping[int, int] | None) -> dict[Run, int]:
    runs = Run.objects.accepted().filter(task=task).select_related("task", "team").order_by("pk")
    wanted = {run.pk: run.depth_in_pool for run in runs} if depths is None else depths
    found = {run: wanted[run.pk] for run in runs if wanted.get(run.pk)}
    if not found:
        raise NoRunsToPool(f"{task}: no accepted run to pool. Wait for runs, or give one of them a depth.")
    return found


def _pooled(depth_of: Mapping[Run, int]) -> Mapping[str, Sequence[str]]:
    """The pool's docnos by topic."""
    depth_by_key = {run.pk: depth for run, depth in depth_of.items()}
    rankings: dict[str, dict[str, list[str]]] = defaultdict(dict)
    rows = Ranking.objects.filter(run__in=depth_of).values_list("run", "topic", "docnos")
    for run, topic, docnos in rows.iterator():
        rankings[str(run)][topic] = docnos.split("\n", depth_by_key[run])[: depth_by_key[run]]
    return depth_pool(rankings, {str(run): depth for run, depth in depth_by_key.items()}).topics


def _ordered(pooled: Mapping[str, Sequence[str]], seed: int) -> list[tuple[str, str]]:
    return [
        (topic, docno)
        for topic, docnos in pooled.items()
        for docno in presentation_order(docnos, topic=topic, seed=seed)
    ]


def _copy_items(pool: Pool, pairs: Sequence[tuple[str, str]]) -> None:
    table = PoolItem._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
    statement = f"COPY {table} (pool_id, topic, docno, position) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for position, (topic, docno) in enumerate(pairs):
            copy.write_row((pool.pk, topic, docno, position))
