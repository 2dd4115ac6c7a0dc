"""What judging a task takes, for the preview of its pools."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from assessment.models import Judgment
from evaluation.models import Membership, Role
from evaluation.panels import Workload

if TYPE_CHECKING:
    from evaluation.models import Task


def measured_workload(task: Task) -> Workload:
    """The median active seconds of the task's standing judgments, and the track's active assessors."""
    standing = Judgment.objects.standing().filter(task=task)
    seconds = [each for each in standing.values_list("active_seconds", flat=True) if each is not None]
    assessors = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR, user__is_active=True)
    return Workload(median(seconds) if seconds else None, assessors.count())
