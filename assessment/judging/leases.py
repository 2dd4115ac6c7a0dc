"""Lease the next items of a pool that is judged item by item to an assessor."""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext

from assessment.assigning.layout import alike_together, append_dealt, gold_docnos
from assessment.assigning.lookups import find_assessors
from assessment.core.arranging import mix_in
from assessment.judging.actions import JudgingNotOpen, check_going_on, renewed
from assessment.models.assignment import Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.plan import JudgingPlan
from assessment.models.purposes import AssignmentKind, Purpose
from assessment.models.slot import Slot, SlotQuerySet
from assessment.training.actions import check_exam
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Phase, Task
from trackside.errors import InputError

LEASE_SIZE = 20  # items: some minutes of work
HELD_SIZE = 80  # items stored in a browser, for work without a connection
HELD = timedelta(minutes=90)  # enough for an hour without a connection


class NothingLeft(InputError):
    """The queue has no items for this assessor now."""


@transaction.atomic
def lease_items(*, pool: Pool, by: User, size: int = LEASE_SIZE) -> Assignment:
    """Lease up to ``size`` items of one topic to the assessor.

    Nobody else gets them until the lease expires. Nobody gets an item twice, or items of a topic in which the
    assessor is paused or has another assignment. If the assessor has open items, return these and renew their
    lease. Raises JudgingNotOpen, may-not-judge, ExamNotPassed, NothingLeft.
    """
    _lock_person(by)
    task = Task.objects.with_phase().get(pk=pool.task_id)
    if task.phase != Phase.JUDGING:
        raise JudgingNotOpen(
            gettext("{task} is not open for judging now. Ask the organizers.").format(task=task)
        )
    if not find_assessors(pool=pool).contains(by):
        raise InputError(
            gettext("{task}: you are no assessor of this pool. Ask the organizers.").format(task=task),
            code="may-not-judge",
        )
    check_exam(task=task, assessor=by)
    plan = JudgingPlan.objects.of(task)
    assignments = Assignment.objects.going_on().filter(pool=pool, assessor=by)
    leasing = assignments.filter(kind=AssignmentKind.ITEMS, paused_at__isnull=True)
    for assignment in leasing.with_progress():
        if assignment.judged_count < assignment.item_count:
            _locked(assignment).slots.filter(expires_at__isnull=False).update(expires_at=renewed(plan.lease))
            return assignment
    started = set(leasing.values_list("topic", flat=True))
    barred = set(assignments.values_list("topic", flat=True)) - started
    barred |= set(
        Exclusion.objects.of_later_work().filter(task=task, assessor=by).values_list("topic", flat=True)
    )
    slots = _lock(Slot.objects.filter(pool=pool).free_for(by).exclude(topic__in=barred), by, started, size)
    if not slots:
        raise NothingLeft(
            gettext("{task}: there are no items for you now. Try again later.").format(task=task)
        )
    assignment, _ = leasing.get_or_create(
        topic=slots[0].topic,
        defaults={"pool": pool, "assessor": by, "kind": AssignmentKind.ITEMS, "assigned_by": by},
    )
    _lease(assignment, slots, plan, plan.lease)
    return assignment


@transaction.atomic
def extend_lease(*, assignment: Assignment, by: User, size: int = LEASE_SIZE, is_held: bool = False) -> None:
    """Renew the assessor's leases of the topic, and lease more of its items until ``size`` are open.

    The screen calls this while the assessor works, so that a topic continues without a pause. ``is_held``:
    the browser stores items for work without a connection; lease ``HELD_SIZE`` of them for at least ``HELD``.
    Raises JudgingNotOpen, AssignmentPaused, AssignmentStopped, ExamNotPassed.
    """
    _lock_person(by)
    assignment = _locked(assignment)
    task = Task.objects.with_phase().get(pk=assignment.pool.task_id)
    check_going_on(assignment, is_in_judging=task.phase == Phase.JUDGING)
    check_exam(task=task, assessor=by)
    plan = JudgingPlan.objects.of(task)
    lease = max(plan.lease, HELD) if is_held else plan.lease
    assignment.slots.filter(expires_at__isnull=False).update(expires_at=renewed(lease))
    missing = (HELD_SIZE if is_held else size) - len(assignment.open_places())
    if missing <= 0:
        return
    free = Slot.objects.filter(pool=assignment.pool, topic=assignment.topic).free_for(by)
    if slots := _lock(free, by, set(), missing):
        _lease(assignment, slots, plan, lease)


def _lock_person(by: User) -> None:
    """Serialise two tabs of one person. Judgments do not wait: their foreign key only locks the key."""
    User.objects.select_for_update(no_key=True).get(pk=by.pk)


def _locked(assignment: Assignment) -> Assignment:
    """Lock an assignment before its slots, as `record_judgment` does: another order could deadlock."""
    locked = Assignment.objects.select_related("pool").select_for_update(of=("self",), no_key=True)
    return locked.get(pk=assignment.pk)


def _lock(free: SlotQuerySet, by: User, started: set[str], size: int) -> list[Slot]:
    """Lock free slots of one topic, skipping slots that somebody else is locking now."""
    topics = list(free.order_by("topic").values_list("topic", flat=True).distinct())
    # Assessors start at different topics, to avoid contention for rows; started topics come first.
    turn = by.pk % len(topics) if topics else 0
    for topic in sorted(topics[turn:] + topics[:turn], key=lambda name: name not in started):
        ordered = free.filter(topic=topic).order_by("turn", "position")
        if slots := ordered.select_for_update(skip_locked=True, of=("self",))[:size]:
            # Of several slots of one item, use only the first turn.
            return list({slot.docno: slot for slot in reversed(slots)}.values())[::-1]
    return []


def _lease(assignment: Assignment, slots: list[Slot], plan: JudgingPlan, lease: timedelta) -> None:
    """Lease the slots, and append their items to the assignment's, with gold items and repeats mixed in.

    On walls, those of these items that look alike are side by side.
    """
    leased = Slot.objects.filter(pk__in=[slot.pk for slot in slots])
    leased.update(assignment=assignment, expires_at=Now() + lease)
    existing = list(assignment.items.order_by("place").values_list("docno", "purpose"))
    gold = gold_docnos(assignment.pool)[assignment.topic]
    docnos = [slot.docno for slot in slots]
    if plan.shows_walls_to(assignment.assessor_id):
        docnos = alike_together(assignment, docnos)
    items = mix_in(
        docnos,
        [docno for docno in gold if (docno, Purpose.GOLD) not in existing],
        gold_percent=plan.gold_percent,
        repeat_percent=plan.mixed_in_repeats,
        seed=f"{assignment.pool.seed} {assignment.topic} {assignment.assessor_id} {len(existing)}",
        former=[docno for docno, purpose in existing if purpose == Purpose.WORK],
    )
    # An item that is leased again after its lease has expired keeps its place.
    append_dealt(assignment, [item for item in items if item not in existing])
