"""Let a pool be judged item by item."""

from __future__ import annotations

from collections import Counter

from django.db import transaction

from assessment.actions.assign_topics import TopicsAlreadyAssigned, check_overlap
from assessment.actions.find_assessors import find_assessors
from assessment.core.balancing import draw_overlap
from assessment.models import Assignment, Judgment, Slot
from evaluation.models import Pool


@transaction.atomic
def open_queue(*, pool: Pool, percent: int, seed: int, assessor_count: int = 2) -> int:
    """Queue every item of the pool for one assessor, and ``percent`` of them for ``assessor_count``.

    Assessors lease the items (``lease_items``). Grades that the task has of an item count: so many fewer
    are wanted. Returns how many judgments are.
    Raises NoAssessors, TooFewAssessors, OverlapOutOfRange, TopicsAlreadyAssigned.
    """
    Pool.objects.select_for_update().get(pk=pool.pk)
    is_assigned = Assignment.objects.going_on().filter(pool=pool).exists()
    if is_assigned or Slot.objects.filter(pool=pool).exists():
        raise TopicsAlreadyAssigned(f"{pool}: everything is assigned already. Nothing was changed.")
    able = find_assessors(pool=pool).count()
    check_overlap(pool=pool, able_count=able, percent=percent, assessor_count=assessor_count)
    items = {f"{topic}\0{docno}": (topic, docno, position) for topic, docno, position in _items(pool)}
    overlap = set(draw_overlap(items, percent, seed=seed))
    given = Counter(Judgment.objects.filter(task=pool.task_id).of_work().graded().current().pairs())
    slots = [
        Slot(pool=pool, topic=topic, docno=docno, turn=turn, position=position)
        for key, (topic, docno, position) in items.items()
        for turn in range(given[topic, docno], assessor_count if key in overlap else 1)
    ]
    return len(Slot.objects.bulk_create(slots, batch_size=5_000))


def _items(pool: Pool) -> list[tuple[str, str, int]]:
    return list(pool.items.values_list("topic", "docno", "position"))
