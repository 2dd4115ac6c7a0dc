"""Criteria of a task."""

from __future__ import annotations

from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.criteria import DEFAULT_GRADES


def create_criteria(*, task: Task) -> Criteria:
    """Create the task's first criteria with the default scale; if it has criteria, return the latest."""
    if task.criteria.exists():
        return Criteria.objects.current(task)
    return Criteria.objects.create(task=task, grades=DEFAULT_GRADES)
