"""Whether an assessor may begin with a task's real work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assessment.actions.find_training import find_training
from assessment.models import JudgingPlan
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from evaluation.models import Task, User


class ExamNotPassed(InputError):
    """The task has an exam that the assessor has not passed."""


def check_exam(*, task: Task, assessor: User) -> None:
    """Raises ExamNotPassed. Asked at every judgment: of a task without an exam it reads the plan alone."""
    if JudgingPlan.objects.of(task).pass_percent is None:
        return
    if not find_training(task=task, assessor=assessor).is_passed:
        raise ExamNotPassed(f"{task}: take the exam first. Nothing was stored; it waits under My topics.")
