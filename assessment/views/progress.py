"""How far people are with a task: by assessor and by topic."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from assessment.core.distribution import Part, make_distribution
from assessment.models import Assignment, Judgment
from evaluation.models import Criteria

if TYPE_CHECKING:
    from evaluation.models import Task, User


@dataclass
class AssessorProgress:
    """One assessor's share of a task: items judged and left, own marks, and the seconds at work on each."""

    assessor: User
    judged_count: int = 0
    left_count: int = 0
    marks: list[int | str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    distribution: list[Part] = field(default_factory=list)

    @property
    def median_seconds(self) -> float | None:
        """The middle of the seconds at work on an item; null where none were measured."""
        return median(self.seconds) if self.seconds else None


def progress_by_assessor(task: Task) -> list[AssessorProgress]:
    """One row for each person with an assignment in the task, by name."""
    rows: dict[int, AssessorProgress] = {}
    for each in Assignment.objects.filter(pool__task=task).with_progress().select_related("assessor"):
        row = rows.setdefault(each.assessor_id, AssessorProgress(each.assessor))
        row.judged_count += each.judged_count
        row.left_count += each.item_count - each.judged_count
    scale = Criteria.objects.current(task).scale
    for judgment in Judgment.objects.filter(task=task, assessor__in=rows).current():
        rows[judgment.assessor_id].marks.append(judgment.mark)
        if judgment.active_seconds is not None:
            rows[judgment.assessor_id].seconds.append(judgment.active_seconds)
    for row in rows.values():
        row.distribution = make_distribution(row.marks, scale)
    return sorted(rows.values(), key=lambda row: str(row.assessor))


def progress_by_topic(task: Task) -> list[tuple[str, list[Assignment]]]:
    """Each assigned topic of the task with its assignments, the owners' first."""
    assignments = Assignment.objects.filter(pool__task=task).with_progress().select_related("assessor")
    topics = defaultdict(list)
    for each in assignments.order_by("topic", "kind", "pk"):
        topics[each.topic].append(each)
    return list(topics.items())
