"""The section on model jobs that the task page gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.models import Pool, Task
from judges.models import Job

if TYPE_CHECKING:
    from evaluation.models import User


def job_panel(task: Task, user: User) -> dict[str, Any] | None:
    """The jobs on the task's pools for organizers, nothing for anybody else."""
    if not Task.objects.organized_by(user).contains(task):
        return None
    jobs = Job.objects.filter(pool__task=task).with_progress().select_related("judge", "pool")
    return {"task": task, "jobs": jobs, "has_pool": Pool.objects.filter(task=task).exists()}
