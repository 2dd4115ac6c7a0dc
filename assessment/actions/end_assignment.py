"""Close an assignment, whatever of it is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from assessment.models import Assignment
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from evaluation.models import User


class AssignmentEnded(InputError):
    """The assignment was closed or given to somebody else."""


@transaction.atomic
def end_assignment(*, assignment: Assignment, by: User) -> Assignment:
    """Close it: its judgments stay and count, what is left open is a gap, leased items go back to the queue.

    Raises AssignmentEnded.
    """
    assignment = lock_going_on(assignment)
    assignment.slots.filter(expires_at__isnull=False).update(assignment=None, expires_at=None)
    Assignment.objects.filter(pk=assignment.pk).update(ended_at=Now(), ended_by=by)
    assignment.refresh_from_db()
    return assignment


def lock_going_on(assignment: Assignment) -> Assignment:
    """The assignment, locked; AssignmentEnded where somebody ended it."""
    locked = Assignment.objects.select_for_update(of=("self",)).select_related("pool__task")
    found = locked.get(pk=assignment.pk)
    if found.ended_at is not None:
        raise AssignmentEnded(f"Topic {found.topic}: {found.assessor}'s assignment has ended already.")
    return found
