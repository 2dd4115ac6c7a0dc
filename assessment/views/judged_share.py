"""How far the judging of a task is, for its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assessment.models import Judgment
from evaluation.models import PoolItem, PoolKind, QrelsPair
from evaluation.panels import JudgedShare

if TYPE_CHECKING:
    from evaluation.models import Qrels, Task


def counted_share(task: Task, published: Qrels) -> JudgedShare:
    """Distinct items of the task's pools with a standing judgment or a published grade, and later judgments.

    Pools that models asked for are not among them. "Cannot judge" is a judgment.
    """
    standing = Judgment.objects.standing().of_work().filter(task=task)
    graded = QrelsPair.objects.graded().filter(qrels=published)
    pooled = PoolItem.objects.filter(pool__task=task).exclude(pool__kind=PoolKind.CHECK)
    # As sets: a look into both tables for each item would take three times as long.
    items, judged, published_too = (
        each.order_by().values("topic", "docno") for each in (pooled, standing, graded)
    )
    item_count = items.distinct().count()
    return JudgedShare(
        item_count - items.difference(judged, published_too).count(),
        item_count,
        standing.filter(judged_at__gt=published.created_at).count(),
    )
