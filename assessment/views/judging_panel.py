"""The section on judging that the task page gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assessment.models import Assignment
from assessment.views.progress import progress_by_assessor
from evaluation.models import Task

if TYPE_CHECKING:
    from evaluation.models import User


def judging_panel(task: Task, user: User) -> dict[str, Any] | None:
    """Progress for organizers, the way to the own topics for assessors, nothing for anybody else."""
    if Task.objects.organized_by(user).contains(task):
        return {"task": task, "is_organizer": True, "rows": progress_by_assessor(task)}
    own = Assignment.objects.held_by(user).filter(pool__task=task).with_progress()
    if not own:
        return None
    left = sum(each.item_count - each.judged_count for each in own)
    return {"task": task, "is_organizer": False, "topic_count": len(own), "left_count": left}
