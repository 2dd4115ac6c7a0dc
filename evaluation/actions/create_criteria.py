"""Give a new task criteria to start with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.criteria import DEFAULT_GRADES
from evaluation.models import Criteria

if TYPE_CHECKING:
    from evaluation.models import Task


def create_criteria(*, task: Task) -> Criteria:
    """Make the task's first criteria, with the default scale. Those that it has stay; the latest is given."""
    if task.criteria.exists():
        return Criteria.objects.current(task)
    return Criteria.objects.create(task=task, grades=DEFAULT_GRADES)
