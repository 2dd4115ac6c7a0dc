"""Freeze pairs that something else than runs chose, for people to look at."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.db import transaction

from evaluation.actions.build_pool import PoolNameTaken
from evaluation.core.pooling import presentation_order
from evaluation.models import Pool, PoolItem, PoolKind, Task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.models import User


@transaction.atomic
def freeze_pairs(
    *, task: Task, name: str, pairs: Iterable[tuple[str, str]], reason: dict[str, Any], seed: int, by: User
) -> Pool:
    """Freeze a pool of kind `check` of these pairs (topic, docno), topic by topic in the seed's order.

    ``reason`` says as plain values what chose them. Raises PoolNameTaken.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if task.pools.filter(name=name).exists():
        raise PoolNameTaken(f"{task} has a pool {name} already, and pools are frozen.")
    by_topic: dict[str, list[str]] = defaultdict(list)
    for topic, docno in pairs:
        by_topic[topic].append(docno)
    pool = Pool.objects.create(
        task=task, name=name, kind=PoolKind.CHECK, recipe=reason, seed=seed, created_by=by
    )
    ordered = [
        (topic, docno)
        for topic in sorted(by_topic)
        for docno in presentation_order(by_topic[topic], topic=topic, seed=seed)
    ]
    PoolItem.objects.bulk_create(
        PoolItem(pool=pool, topic=topic, docno=docno, position=position)
        for position, (topic, docno) in enumerate(ordered)
    )
    return pool
