"""Give an assessor the next items of a pool that is judged item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from assessment.actions.check_exam import check_exam
from assessment.actions.find_assessors import find_assessors
from assessment.actions.lay_out_items import gold_docnos
from assessment.actions.record_judgment import JudgingNotOpen
from assessment.core.mixing import mix_in
from assessment.models import AssignedItem, Assignment, JudgingPlan, Kind, Purpose, Slot
from evaluation.core.errors import InputError
from evaluation.models import Phase, Task, User

if TYPE_CHECKING:
    from assessment.models.slot import SlotQuerySet
    from evaluation.models import Pool

LEASE_SIZE = 20  # items at a time: some minutes of work


class NothingLeft(InputError):
    """The queue has nothing for this assessor now."""


class MayNotJudge(InputError):
    """The person is no assessor of the pool."""


@transaction.atomic
def lease_items(*, pool: Pool, by: User, size: int = LEASE_SIZE) -> Assignment:
    """Lease up to ``size`` items of one topic to the assessor; none of them goes to anybody else meanwhile.

    An item whose lease has run out without a judgment is free again. Nobody gets an item twice, nor one of a
    topic in which the organizers have paused the assessor or given something else to do. While the assessor
    has items open, those are the answer, for a longer time. Raises JudgingNotOpen, MayNotJudge,
    ExamNotPassed, NothingLeft.
    """
    User.objects.select_for_update().get(pk=by.pk)  # two tabs of one person take turns
    task = Task.objects.with_phase().get(pk=pool.task_id)
    if task.phase != Phase.JUDGING:
        raise JudgingNotOpen(f"{task} is not open for judging now. Ask the organizers.")
    if not find_assessors(pool=pool).contains(by):
        raise MayNotJudge(f"{task}: you are no assessor of this pool. Ask the organizers.")
    check_exam(task=task, assessor=by)
    plan = JudgingPlan.objects.of(task)
    own = Assignment.objects.going_on().filter(pool=pool, assessor=by)
    leasing = own.filter(kind=Kind.ITEMS, paused_at__isnull=True)
    for assignment in leasing.with_progress():
        if assignment.judged_count < assignment.item_count:
            assignment.slots.filter(expires_at__isnull=False).update(expires_at=Now() + plan.lease)
            return assignment
    started = set(leasing.values_list("topic", flat=True))
    barred = set(own.values_list("topic", flat=True)) - started
    slots = _take(Slot.objects.filter(pool=pool).free_for(by).exclude(topic__in=barred), by, started, size)
    if not slots:
        raise NothingLeft(
            f"{task}: there is nothing for you to take now. Items that others give back come later."
        )
    assignment, _ = leasing.get_or_create(
        topic=slots[0].topic,
        defaults={"pool": pool, "assessor": by, "kind": Kind.ITEMS, "assigned_by": by},
    )
    Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(
        assignment=assignment, expires_at=Now() + plan.lease
    )
    _append(assignment, [slot.docno for slot in slots], plan)
    return assignment


def _take(free: SlotQuerySet, by: User, started: set[str], size: int) -> list[Slot]:
    """Lock free slots of one topic, passing over those that somebody else is taking at this moment."""
    topics = list(free.order_by("topic").values_list("topic", flat=True).distinct())
    # Everybody starts elsewhere, so that few wait for the same rows; a topic once started is gone on with.
    turn = by.pk % len(topics) if topics else 0
    for topic in sorted(topics[turn:] + topics[:turn], key=lambda each: each not in started):
        ordered = free.filter(topic=topic).order_by("turn", "position")
        if slots := ordered.select_for_update(skip_locked=True, of=("self",))[:size]:
            # Of an item wanted twice nobody takes both: the first turn is the one that stays.
            return list({slot.docno: slot for slot in reversed(slots)}.values())[::-1]
    return []


def _append(assignment: Assignment, docnos: list[str], plan: JudgingPlan) -> None:
    """Put the docnos behind what the assessor has had, with gold items and repeats of it mixed in."""
    had = list(assignment.items.order_by("place").values_list("docno", "purpose"))
    gold = gold_docnos(assignment.pool)[assignment.topic]
    shown = mix_in(
        docnos,
        [docno for docno in gold if (docno, Purpose.GOLD) not in had],
        gold_percent=plan.gold_percent,
        repeat_percent=plan.repeat_percent,
        seed=f"{assignment.pool.seed} {assignment.topic} {assignment.assessor_id} {len(had)}",
        former=[docno for docno, purpose in had if purpose == Purpose.WORK],
    )
    last = assignment.items.aggregate(last=Max("place"))["last"] or 0
    # An item whose lease ran out and that comes back keeps its place.
    new = [each for each in shown if each not in had]
    AssignedItem.objects.bulk_create(
        AssignedItem(assignment=assignment, place=last + step, docno=docno, purpose=purpose)
        for step, (docno, purpose) in enumerate(new, start=1)
    )
