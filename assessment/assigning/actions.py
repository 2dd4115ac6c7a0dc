"""Assign the topics of a pool to assessors, or queue its items; end, pause and reassign assignments."""

from collections import Counter
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Count, Exists, OuterRef
from django.db.models.functions import Now
from django.urls import reverse

from assessment.assigning.layout import lay_out_items
from assessment.assigning.lookups import find_assessors
from assessment.core.arranging import draw_overlap, share_topics
from assessment.models.assignment import Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.judgment import Judgment
from assessment.models.purposes import AssignmentKind
from assessment.models.slot import Slot
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task
from evaluation.tracks.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.tracks.work.operations.models import Operation
from evaluation.tracks.work.table_rows import copy_rows
from trackside.errors import InputError

Shares = list[tuple[str, int, AssignmentKind]]  # topic, assessor, kind


@transaction.atomic
def assign_topics(
    *, pool: Pool, second_percent: int, seed: int, by: User, assessor_count: int = 2
) -> list[Assignment]:
    """Assign each topic without an owner to an assessor, and some of these topics to more assessors.

    ``second_percent`` of these topics get ``assessor_count`` assessors in total. A topic keeps its owner in
    an earlier pool of the task, so that old judgments count; the others are balanced by items. Members of a
    team with a run in the pool get no topic, and nobody gets a topic twice. Equal seeds and loads give equal
    assignments. The items of a third person go to assessors who judged none of them, once.
    Raises no-assessors, too-few-assessors, overlap-out-of-range, topics-already-assigned.
    """
    Task.objects.select_for_update(no_key=True).get(pk=pool.task_id)
    sizes = dict(pool.items.order_by().values_list("topic").annotate(Count("pk")))
    assignments = list(Assignment.objects.going_on().filter(pool=pool))
    loads = dict.fromkeys(find_assessors(pool=pool).values_list("pk", flat=True), 0)
    for assignment in assignments:
        if assignment.assessor_id in loads:
            loads[assignment.assessor_id] += sizes[assignment.topic]
    owned_topics = {assignment.topic for assignment in assignments if assignment.is_owner}
    if pool.is_third:
        second_percent, owned_topics = 0, {row.topic for row in assignments}
    free = {topic: size for topic, size in sizes.items() if topic not in owned_topics}
    if not free or Slot.objects.filter(pool=pool).exists():
        raise InputError(
            f"{pool}: everything is assigned already. Nothing was changed.", code="topics-already-assigned"
        )
    check_overlap(pool=pool, able_count=len(loads), percent=second_percent, assessor_count=assessor_count)
    holders = {topic: {row.assessor_id for row in assignments if row.topic == topic} for topic in free}
    shares = _share_out(pool, free, loads, holders, seed)
    overlap = {topic: free[topic] for topic in draw_overlap(free, second_percent, seed=seed)}
    graders = Counter(row.topic for row in assignments if row.is_second)
    graders.update(topic for topic, _, _ in shares)
    while unfilled := {topic: size for topic, size in overlap.items() if graders[topic] < assessor_count}:
        shares += _share(unfilled, loads, holders, AssignmentKind.SECOND, seed, {})
        graders.update(unfilled.keys())
    created = Assignment.objects.bulk_create(
        Assignment(pool=pool, topic=topic, assessor_id=assessor, kind=kind, assigned_by=by)
        for topic, assessor, kind in shares
    )
    lay_out_items(assignments=created)
    return created


def check_overlap(*, pool: Pool, able_count: int, percent: int, assessor_count: int) -> None:
    """Raise an InputError unless enough assessors exist for that share of the topics or items."""
    if not 0 <= percent <= 100:
        raise InputError(
            f"Graded more than once: {percent} % is not between 0 and 100.", code="overlap-out-of-range"
        )
    if not able_count:
        raise InputError(
            f"{pool.task.track}: no assessors yet. Invite some, then assign the topics.", code="no-assessors"
        )
    if percent and able_count < assessor_count:
        raise InputError(
            f"A topic needs {assessor_count} assessors, but {pool.task.track} has {able_count}. Invite "
            "others, or set the share graded more than once to 0.",
            code="too-few-assessors",
        )


def _share_out(
    pool: Pool, free: dict[str, int], loads: dict[int, int], holders: dict[str, set[int]], seed: int
) -> Shares:
    """Assign an owner to each topic, or a third person."""
    if pool.is_third:
        return _share(free, loads, holders, AssignmentKind.CHECK, seed, {})
    former = Assignment.objects.filter(pool__task=pool.task_id, kind=AssignmentKind.OWNER, assessor__in=loads)
    former = former.exclude(pool=pool, ended_at__isnull=False)  # ended in this pool: needs a new owner
    excluded = Exclusion.objects.of_later_work().of_topic(OuterRef("topic"))
    former = former.exclude(Exists(excluded.filter(task=pool.task_id, assessor=OuterRef("assessor"))))
    owners = former.order_by("pk").values_list("topic", "assessor")
    bound = {topic: assessor for topic, assessor in owners if assessor not in holders.get(topic, ())}
    return _share(free, loads, holders, AssignmentKind.OWNER, seed, bound)


def _share(
    sizes: dict[str, int],
    loads: dict[int, int],
    holders: dict[str, set[int]],
    kind: AssignmentKind,
    seed: int,
    bound: dict[str, int],
) -> Shares:
    """Assign one more assessor to each topic; update ``loads`` and ``holders``."""
    for topic in sorted(sizes):
        if holders[topic] >= loads.keys():
            raise InputError(
                f"Topic {topic} is assigned to all assessors who may judge it. Invite others, or close one "
                "of its assignments.",
                code="too-few-assessors",
            )
    shares = share_topics(sizes, loads, seed=seed, bound=bound, barred=holders)
    for topic, assessor in shares.items():
        loads[assessor] += sizes[topic]
        holders[topic].add(assessor)
    return [(topic, assessor, kind) for topic, assessor in sorted(shares.items())]


@transaction.atomic
def open_queue(*, pool: Pool, percent: int, seed: int, assessor_count: int = 2) -> int:
    """Queue every item of the pool for one assessor, and ``percent`` of them for ``assessor_count``.

    Assessors lease the items (``lease_items``). Each existing answer to an item in the task saves one slot.
    Return the number of slots, one for each judgment.
    Raises no-assessors, too-few-assessors, overlap-out-of-range, topics-already-assigned, third-by-topic.
    """
    Task.objects.select_for_update(no_key=True).get(pk=pool.task_id)
    _refuse_queue(pool)
    is_assigned = Assignment.objects.going_on().filter(pool=pool).exists()
    if is_assigned or Slot.objects.filter(pool=pool).exists():
        raise InputError(
            f"{pool}: everything is assigned already. Nothing was changed.", code="topics-already-assigned"
        )
    able_count = find_assessors(pool=pool).count()
    check_overlap(pool=pool, able_count=able_count, percent=percent, assessor_count=assessor_count)
    pooled = pool.items.values_list("topic", "docno", "position")
    items = {f"{topic}\0{docno}": (topic, docno, position) for topic, docno, position in pooled}
    overlap = set(draw_overlap(items, percent, seed=seed))
    grade_counts = Counter(Judgment.objects.filter(task=pool.task_id).counted().of_work().answered().pairs())
    slots = (
        (pool.pk, topic, docno, turn, position)
        for key, (topic, docno, position) in items.items()
        for turn in range(grade_counts[topic, docno], assessor_count if key in overlap else 1)
    )
    return copy_rows(Slot, ("pool_id", "topic", "docno", "turn", "position"), slots)


def _refuse_queue(pool: Pool) -> None:
    if pool.is_third:
        raise InputError(f"{pool} is for a third person: assign it by topic.", code="third-by-topic")


ASSIGN = "pool_assign"


def request_assignment(*, pool: Pool, options: dict[str, Any], by: User) -> Operation:
    """Queue the assignment of a pool by the options of a checked form.

    Raises no-assessors, too-few-assessors, topics-already-assigned, OperationUnderWay.
    """
    if Slot.objects.filter(pool=pool).exists():
        raise InputError(
            f"{pool}: everything is assigned already. Nothing was changed.", code="topics-already-assigned"
        )
    if options["is_by_items"]:
        _refuse_queue(pool)
    check_overlap(
        pool=pool,
        able_count=find_assessors(pool=pool).count(),
        percent=options["percent"],
        assessor_count=options["assessor_count"],
    )
    return start_operation(task=pool.task, kind=ASSIGN, about=pool.name, options=options, by=by)


def _assign(operation: Operation) -> OperationResult:
    options = operation.options
    pool = Pool.objects.select_related("task__track").get(pk=options["pool"])
    percent, seed, count = (options[name] for name in ("percent", "seed", "assessor_count"))
    if options["is_by_items"]:
        slot_count = open_queue(pool=pool, percent=percent, seed=seed, assessor_count=count)
        return OperationResult(f"Judgments needed: {slot_count:,}. Assessors take the items from My topics.")
    created = assign_topics(
        pool=pool, second_percent=percent, seed=seed, by=operation.requested_by, assessor_count=count
    )
    return OperationResult(f"Assignments created: {len(created)}.")


def _progress(operation: Operation) -> str:
    return reverse("judging_progress", args=[operation.task.track.slug, operation.task.slug])


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(OperationKind(ASSIGN, "Assign a pool", _assign, _progress, "Progress of judging"))


class AssignmentChange(models.TextChoices):
    """Changes of an assignment."""

    PAUSE = "pause", "pause it"
    GO_ON = "go-on", "resume it"
    REASSIGN = "reassign", "give the topic to another"
    END = "end", "close it, even with items left"


def change_assignment(*, assignment: Assignment, what: str, to: User | None, by: User) -> Assignment:
    """Apply a change, and return the assignment, or the topic's new one. Raises as the functions below."""
    if what == AssignmentChange.REASSIGN and to:
        return reassign_topic(assignment=assignment, to=to, by=by)
    if what == AssignmentChange.END:
        return end_assignment(assignment=assignment, by=by)
    return pause_assignment(assignment=assignment, is_paused=what == AssignmentChange.PAUSE)


@transaction.atomic
def end_assignment(*, assignment: Assignment, by: User) -> Assignment:
    """End the assignment: its judgments count, its open items become gaps, its leased items are free again.

    Raises assignment-ended.
    """
    assignment = lock_going_on(assignment)
    assignment.slots.filter(expires_at__isnull=False).update(assignment=None, expires_at=None)
    Assignment.objects.filter(pk=assignment.pk).update(ended_at=Now(), ended_by=by)
    assignment.refresh_from_db()
    return assignment


def lock_going_on(assignment: Assignment) -> Assignment:
    """Return the assignment, locked; raise assignment-ended if it has ended."""
    rows = Assignment.objects.select_for_update(of=("self",)).select_related("pool__task")
    row = rows.get(pk=assignment.pk)
    if row.ended_at is not None:
        raise InputError(
            f"Topic {row.topic}: {row.assessor}'s assignment has ended already.", code="assignment-ended"
        )
    return row


@transaction.atomic
def pause_assignment(*, assignment: Assignment, is_paused: bool) -> Assignment:
    """Pause or resume an assignment; while paused, its items cannot be judged. Raises assignment-ended."""
    assignment = lock_going_on(assignment)
    moment: datetime | Now | None = (assignment.paused_at or Now()) if is_paused else None
    Assignment.objects.filter(pk=assignment.pk).update(paused_at=moment)
    assignment.refresh_from_db()
    return assignment


@transaction.atomic
def reassign_topic(*, assignment: Assignment, to: User, by: User) -> Assignment:
    """End the assignment and assign its topic to another person, who judges the rest.

    The former owner's judgments count. A second assessor's successor judges all items, because agreement is
    measured between two people. Raises assignment-ended, cannot-take-topic.
    """
    ended = end_assignment(assignment=assignment, by=by)
    if ended.is_by_items:
        raise InputError(
            f"{ended.pool} is judged item by item: close the assignment, and its items return to the queue.",
            code="cannot-take-topic",
        )
    if ended.kind == AssignmentKind.ADJUDICATION:
        raise InputError(
            f"{ended.topic}: these are items for adjudication. Close the assignment, then reassign "
            "the open ones in the list of disagreements.",
            code="cannot-take-topic",
        )
    if not find_assessors(pool=ended.pool).contains(to):
        raise InputError(
            f"{to} is no assessor of this track, or has a team with a run in the pool.",
            code="cannot-take-topic",
        )
    if Assignment.objects.going_on().filter(pool=ended.pool, topic=ended.topic, assessor=to).exists():
        raise InputError(
            f"{to} already judges topic {ended.topic}. Choose somebody else.", code="cannot-take-topic"
        )
    created = Assignment.objects.create(
        pool=ended.pool, topic=ended.topic, assessor=to, kind=ended.kind, assigned_by=by
    )
    lay_out_items(assignments=[created])
    return created
