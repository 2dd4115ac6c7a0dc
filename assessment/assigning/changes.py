"""End, pause and reassign assignments."""

from datetime import datetime

from django.db import models, transaction
from django.db.models.functions import Now

from assessment.assigning.assessors import find_assessors
from assessment.assigning.layout import lay_out_items
from assessment.models.assignment import Assignment
from assessment.models.purposes import AssignmentKind
from evaluation.access.people import User
from trackside.errors import InputError


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
