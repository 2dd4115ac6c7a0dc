"""Freeze the set of pairs that people and models will grade."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import connection, transaction

from evaluation.core.errors import InputError
from evaluation.core.pool_recipes import (
    AdaptiveRecipe,
    BudgetRecipe,
    DepthRecipe,
    Rankings,
    Recipe,
    SampleRecipe,
)
from evaluation.core.pooling import presentation_order
from evaluation.core.sampled_pooling import SampledItem
from evaluation.models import Pool, PoolItem, PoolKind, PoolRun, Ranking, Run, Task, UndrawnPair

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.models import User

KINDS: dict[type[Recipe], PoolKind] = {
    DepthRecipe: PoolKind.DEPTH,
    BudgetRecipe: PoolKind.BUDGET,
    SampleRecipe: PoolKind.SAMPLE,
    AdaptiveRecipe: PoolKind.ADAPTIVE,
}


class NoRunsToPool(InputError):
    """No accepted run was chosen."""


class NothingDrawn(InputError):
    """The recipe finds no document."""


class PoolNameTaken(InputError):
    """The task has a pool of that name."""


@transaction.atomic
def build_pool(
    *,
    task: Task,
    name: str,
    seed: int,
    by: User,
    depths: Mapping[int, int] | None = None,
    recipe: Recipe | None = None,
) -> Pool:
    """Freeze a pool of the task's accepted runs.

    ``depths`` gives the depth by the run's primary key and leaves other runs out; None takes each run to the
    depth set for it. ``recipe`` draws from what lies above these depths; None takes all of it. ``seed`` fixes
    what chance decides and the order of the items.
    Raises NoRunsToPool, NothingDrawn, PoolNameTaken, StrataDoNotRise.
    """
    recipe = recipe or DepthRecipe()
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if task.pools.filter(name=name).exists():
        raise PoolNameTaken(f"{task} has a pool {name} already, and pools are frozen. Choose another name.")
    depth_of = _depths(task, depths)
    rankings = _rankings(depth_of)
    drawn = {topic: recipe.draw(rankings[topic], topic=topic, seed=seed) for topic in sorted(rankings)}
    if not any(item.is_drawn for items in drawn.values() for item in items):
        raise NothingDrawn(f"{task}: the runs have nothing more to draw. Give them greater depths.")
    kind = KINDS[type(recipe)]
    pool = Pool.objects.create(
        task=task, name=name, kind=kind, recipe=recipe.to_json(), seed=seed, created_by=by
    )
    PoolRun.objects.bulk_create(PoolRun(pool=pool, run=run, depth=depth) for run, depth in depth_of.items())
    _copy_items(pool, _ordered(drawn, seed))
    _copy_undrawn(pool, drawn)
    return pool


def _depths(task: Task, depths: Mapping[int, int] | None) -> dict[Run, int]:
    runs = Run.objects.accepted().filter(task=task).select_related("task", "team").order_by("pk")
    wanted = {run.pk: run.depth_in_pool for run in runs} if depths is None else depths
    found = {run: wanted[run.pk] for run in runs if wanted.get(run.pk)}
    if not found:
        raise NoRunsToPool(f"{task}: no accepted run to pool. Wait for runs, or give one of them a depth.")
    return found


def _rankings(depth_of: Mapping[Run, int]) -> Mapping[str, Rankings]:
    """By topic, each run's documents down to its depth; a run that has none of a topic is not there."""
    depth_by_key = {run.pk: depth for run, depth in depth_of.items()}
    rankings: dict[str, dict[str, list[str]]] = defaultdict(dict)
    rows = Ranking.objects.filter(run__in=depth_of).values_list("run", "topic", "docnos")
    for run, topic, docnos in rows.iterator():
        rankings[topic][str(run)] = docnos.split("\n", depth_by_key[run])[: depth_by_key[run]]
    return rankings


def _ordered(drawn: Mapping[str, Sequence[SampledItem]], seed: int) -> list[tuple[str, SampledItem]]:
    return [
        (topic, by_docno[docno])
        for topic, items in drawn.items()
        if (by_docno := {item.docno: item for item in items if item.is_drawn})
        for docno in presentation_order(by_docno, topic=topic, seed=seed)
    ]


def _copy_items(pool: Pool, items: Sequence[tuple[str, SampledItem]]) -> None:
    table = PoolItem._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
    columns = "pool_id, topic, docno, position, stratum, chance"
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for position, (topic, item) in enumerate(items):
            sampled = (item.stratum, item.chance) if item.stratum else (None, None)
            copy.write_row((pool.pk, topic, item.docno, position, *sampled))


def _copy_undrawn(pool: Pool, drawn: Mapping[str, Sequence[SampledItem]]) -> None:
    table = UndrawnPair._meta.db_table  # noqa: SLF001 - as above
    statement = f"COPY {table} (pool_id, topic, docno, stratum) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for topic, items in drawn.items():
            for item in items:
                if not item.is_drawn:
                    copy.write_row((pool.pk, topic, item.docno, item.stratum))
