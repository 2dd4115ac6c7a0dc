"""Pause an assignment, or let it go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from assessment.actions.end_assignment import lock_going_on
from assessment.models import Assignment

if TYPE_CHECKING:
    from datetime import datetime


@transaction.atomic
def pause_assignment(*, assignment: Assignment, is_paused: bool) -> Assignment:
    """While it is paused its assessor sees it and can do nothing on it. Raises AssignmentEnded."""
    assignment = lock_going_on(assignment)
    moment: datetime | Now | None = (assignment.paused_at or Now()) if is_paused else None
    Assignment.objects.filter(pk=assignment.pk).update(paused_at=moment)
    assignment.refresh_from_db()
    return assignment
