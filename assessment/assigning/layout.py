"""Store the items of assignments in the order of display."""

import random
from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Max

from assessment.assigning.alike import find_alike
from assessment.assigning.singles import deal, find_rates
from assessment.core.alike import side_by_side
from assessment.core.arranging import mix_in
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.gold import GoldItem, GoldUse
from assessment.models.judgment import Judgment
from assessment.models.plan import JudgingPlan
from assessment.models.purposes import Purpose
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.tracks.work.table_rows import copy_rows

COLUMNS = ("assignment_id", "place", "docno", "purpose", "is_single", "single_every")


def lay_out_items(*, assignments: Sequence[Assignment]) -> None:
    """Create the items of new assignments of one pool, with gold and repeated items mixed in.

    Pool items keep the pool's order; on walls, where items are seen beside each other, each assessor has an
    order of their own, with items that look alike side by side. It and the places of mixed-in items depend on
    pool seed, topic and assessor. An owner gets no item that another owner of the topic has graded. Nothing
    is mixed into a third person's items.
    """
    if not assignments:
        return
    pool = assignments[0].pool
    docnos, gold, rates = _docnos_of(pool), gold_docnos(pool), find_rates(assignments)
    plan = JudgingPlan.objects.of(pool.task)
    for assignment in assignments:
        seed = _seed(assignment)
        ordered = _ordered(assignment, docnos[assignment.topic], plan)
        items: Sequence[tuple[str, str]] = mix_in(
            ordered,
            gold[assignment.topic],
            gold_percent=plan.gold_percent,
            repeat_percent=plan.mixed_in_repeats,
            seed=seed,
        )
        if pool.is_third:
            items = [(docno, Purpose.CHECK) for docno in ordered]
        dealt = deal(assignment, items, rates=rates)
        rows = ([getattr(item, column) for column in COLUMNS] for item in dealt)
        copy_rows(AssignedItem, COLUMNS, rows)


def append_items(*, assignment: Assignment) -> int:
    """Append the topic's items that the assignment lacks, without mixed-in ones; return their number."""
    work = assignment.items.filter(purpose=Purpose.WORK)
    own = set(work.values_list("docno", flat=True))
    plan = JudgingPlan.objects.of(assignment.pool.task)
    docnos = _docnos_of(assignment.pool, assignment.topic)[assignment.topic]
    missing = [docno for docno in _ordered(assignment, docnos, plan) if docno not in own]
    append_dealt(assignment, [(docno, Purpose.WORK) for docno in missing])
    return len(missing)


def append_dealt(assignment: Assignment, items: Sequence[tuple[str, str]]) -> None:
    """Append items, each with its purpose, to those of the assignment, and draw those to be judged singly."""
    last_place = assignment.items.aggregate(last=Max("place"))["last"] or 0
    dealt = deal(assignment, items, rates=find_rates([assignment]), after=last_place)
    AssignedItem.objects.bulk_create(dealt)


def _seed(assignment: Assignment) -> str:
    return f"{assignment.pool.seed} {assignment.topic} {assignment.assessor_id}"


def _ordered(assignment: Assignment, docnos: Sequence[str], plan: JudgingPlan) -> list[str]:
    """Return the docnos in order of display, without those that another owner has graded."""
    if plan.shows_walls_to(assignment.assessor_id):
        docnos = alike_together(assignment, order_of_walls(docnos, _seed(assignment)))
    if not assignment.is_owner:
        return list(docnos)
    judgments = Judgment.objects.counted().filter(task=assignment.pool.task_id, topic=assignment.topic)
    others = judgments.exclude(assessor=assignment.assessor_id).by_owners().answered()
    graded = set(others.values_list("docno", flat=True))
    return [docno for docno in docnos if docno not in graded]


def alike_together(assignment: Assignment, docnos: Sequence[str]) -> list[str]:
    """Return the docnos in order, those that look alike right after the first one of them."""
    return side_by_side(docnos, find_alike(assignment.pool.task.collection_id, docnos))


def order_of_walls(docnos: Sequence[str], seed: str) -> list[str]:
    """Return the docnos in the order of this seed."""
    return random.Random(f"{seed} walls").sample(docnos, len(docnos))  # noqa: S311 - a reproducible order


def _docnos_of(pool: Pool, topic: str | None = None) -> dict[str, list[str]]:
    docnos: dict[str, list[str]] = defaultdict(list)
    items = PoolItem.objects.filter(pool=pool) if topic is None else pool.items.filter(topic=topic)
    for topic, docno in items.order_by("position").values_list("topic", "docno"):
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
