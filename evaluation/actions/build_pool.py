"""Freeze the set of pairs that people and models will grade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, transaction

from evaluation.actions.draw_pool import draw_pool
from evaluation.core.errors import InputError
from evaluation.core.pool_recipes import AdaptiveRecipe, BudgetRecipe, DepthRecipe, Recipe, SampleRecipe
from evaluation.core.pooling import presentation_order
from evaluation.models import Pool, PoolItem, PoolKind, PoolRun, Task, UndrawnPair

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.core.sampled_pooling import SampledItem
    from evaluation.models import User

KINDS: dict[type[Recipe], PoolKind] = {
    DepthRecipe: PoolKind.DEPTH,
    BudgetRecipe: PoolKind.BUDGET,
    SampleRecipe: PoolKind.SAMPLE,
    AdaptiveRecipe: PoolKind.ADAPTIVE,
}


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
    """Freeze what ``draw_pool`` draws; ``seed`` also fixes the order of the items.

    Raises NoRunsToPool, NothingDrawn, PoolNameTaken, StrataDoNotRise.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if task.pools.filter(name=name).exists():
        raise PoolNameTaken(f"{task} has a pool {name} already, and pools are frozen. Choose another name.")
    draw = draw_pool(task=task, seed=seed, depths=depths, recipe=recipe)
    kind = KINDS[type(draw.recipe)]
    pool = Pool.objects.create(
        task=task, name=name, kind=kind, recipe=draw.recipe.to_json(), seed=seed, created_by=by
    )
    runs = draw.depth_of.items()
    PoolRun.objects.bulk_create(PoolRun(pool=pool, run=run, depth=depth) for run, depth in runs)
    _copy_items(pool, _ordered(draw.drawn, seed))
    _copy_undrawn(pool, draw.items)
    return pool


def _ordered(drawn: Mapping[str, Sequence[SampledItem]], seed: int) -> list[tuple[str, SampledItem]]:
    ordered = []
    for topic, items in drawn.items():
        by_docno = {item.docno: item for item in items}
        ordered += [
            (topic, by_docno[docno]) for docno in presentation_order(by_docno, topic=topic, seed=seed)
        ]
    return ordered


def _copy_items(pool: Pool, items: Sequence[tuple[str, SampledItem]]) -> None:
    table = PoolItem._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
    columns = "pool_id, topic, docno, position, stratum, chance"
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for position, (topic, item) in enumerate(items):
            sampled = (item.stratum, item.chance) if item.stratum else (None, None)
            copy.write_row((pool.pk, topic, item.docno, position, *sampled))


def _copy_undrawn(pool: Pool, everything: Mapping[str, Sequence[SampledItem]]) -> None:
    table = UndrawnPair._meta.db_table  # noqa: SLF001 - as above
    statement = f"COPY {table} (pool_id, topic, docno, stratum) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for topic, items in everything.items():
            for item in items:
                if not item.is_drawn:
                    copy.write_row((pool.pk, topic, item.docno, item.stratum))
