"""Store the items of assignments in the order of display."""

import random
from collections import defaultdict
from collections.abc import Sequence

from assessment.core.arranging import mix_in
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.gold import GoldItem, GoldUse
from assessment.models.plan import JudgingPlan
from evaluation.pools.models import Pool, PoolItem
from evaluation.work.table_rows import copy_rows


def lay_out_items(*, assignments: Sequence[Assignment]) -> None:
    """Create the items of new assignments of one pool, with gold and repeated items mixed in.

    Pool items keep the pool's order; on walls, where items are seen beside each other, each assessor has an
    order of their own. It and the places of mixed-in items depend on pool seed, topic and assessor.
    """
    if not assignments:
        return
    pool = assignments[0].pool
    docnos, gold = _docnos_of(pool), gold_docnos(pool)
    plan = JudgingPlan.objects.of(pool.task)
    for assignment in assignments:
        seed = f"{pool.seed} {assignment.topic} {assignment.assessor_id}"
        is_walled = plan.shows_walls_to(assignment.assessor_id)
        topic_docnos = docnos[assignment.topic]
        items = mix_in(
            order_of_walls(topic_docnos, seed) if is_walled else topic_docnos,
            gold[assignment.topic],
            gold_percent=plan.gold_percent,
            repeat_percent=plan.mixed_in_repeats,
            seed=seed,
        )
        rows = ((assignment.pk, place, *item) for place, item in enumerate(items, start=1))
        copy_rows(AssignedItem, ("assignment_id", "place", "docno", "purpose"), rows)


def order_of_walls(docnos: Sequence[str], seed: str) -> list[str]:
    """Return the docnos in the order of this seed."""
    return random.Random(f"{seed} walls").sample(docnos, len(docnos))  # noqa: S311 - a reproducible order


def _docnos_of(pool: Pool) -> dict[str, list[str]]:
    docnos: dict[str, list[str]] = defaultdict(list)
    for topic, docno in PoolItem.objects.filter(pool=pool).order_by("position").values_list("topic", "docno"):
        docnos[topic].append(docno)
    return docnos


def gold_docnos(pool: Pool) -> dict[str, list[str]]:
    """Return by topic the gold items to mix in that are not in the pool."""
    pooled = set(PoolItem.objects.filter(pool=pool).values_list("topic", "docno"))
    docnos: dict[str, list[str]] = defaultdict(list)
    gold_items = GoldItem.objects.filter(task=pool.task_id, use=GoldUse.MIXED)
    for topic, docno in gold_items.values_list("topic", "docno"):
        if (topic, docno) not in pooled:
            docnos[topic].append(docno)
    return docnos
