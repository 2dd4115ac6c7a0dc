"""Progress and workload of judging: for the task's page, the pool's page and the API."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

from assessment.core.distribution import Part, make_distribution
from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from assessment.models.slot import Slot
from evaluation.access.people import Membership, Role
from evaluation.panels import Workload
from evaluation.pools.models import Pool, PoolItem, PoolKind
from evaluation.qrels.models import QrelsPair
from evaluation.qrels.shares import JudgedShare
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from evaluation.access.people import User
    from evaluation.qrels.models import Qrels


@dataclass
class AssessorProgress:
    """One assessor's share of a task: items judged and left, marks, and active seconds per item."""

    assessor: User
    judged_count: int = 0
    left_count: int = 0
    marks: list[int | str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    distribution: list[Part] = field(default_factory=list)

    @property
    def median_seconds(self) -> float | None:
        """The median of the active seconds per item; null if none were measured."""
        return median(self.seconds) if self.seconds else None


def progress_by_assessor(task: Task) -> list[AssessorProgress]:
    """Return one row for each person with an assignment in the task, by name."""
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


@dataclass(frozen=True)
class QueueProgress:
    """Judgments wanted of a pool that is judged item by item; ``leased_count`` of those left are leased."""

    pool: Pool
    wanted_count: int
    given_count: int
    leased_count: int

    @property
    def left_count(self) -> int:
        """Judgments still to give."""
        return self.wanted_count - self.given_count


def progress_by_queue(task: Task) -> list[QueueProgress]:
    """Return the progress of each pool of the task that is judged item by item."""
    pools = Pool.objects.filter(task=task, pk__in=Slot.objects.values("pool")).order_by("pk")
    return [
        QueueProgress(pool, slots.count(), slots.given().count(), slots.leased().count())
        for pool, slots in ((pool, Slot.objects.filter(pool=pool)) for pool in pools)
    ]


def progress_by_topic(task: Task) -> list[tuple[str, list[Assignment]]]:
    """Return each assigned topic of the task with its assignments, the owners' first."""
    assignments = Assignment.objects.filter(pool__task=task).with_progress().select_related("assessor")
    topics = defaultdict(list)
    for each in assignments.order_by("topic", "kind", "pk"):
        topics[each.topic].append(each)
    return list(topics.items())


def judging_panel(task: Task, user: User) -> dict[str, Any] | None:
    """Return the progress for organizers, the own topics for assessors, None for others."""
    if Task.objects.organized_by(user).contains(task):
        return {
            "task": task,
            "is_organizer": True,
            "rows": progress_by_assessor(task),
            "queues": progress_by_queue(task),
        }
    own = Assignment.objects.held_by(user).filter(pool__task=task).with_progress()
    if not own:
        return None
    left = sum(each.item_count - each.judged_count for each in own)
    return {"task": task, "is_organizer": False, "topic_count": len(own), "left_count": left}


def counted_share(task: Task, published: Qrels) -> JudgedShare:
    """Count the items of the task's pools with a judgment or a published grade, and later judgments.

    Check pools are excluded. "Cannot judge" is a judgment; undone ones do not count.
    """
    standing = Judgment.objects.standing().of_work().filter(task=task)
    graded = QrelsPair.objects.graded().filter(qrels=published)
    pooled = PoolItem.objects.filter(pool__task=task).exclude(pool__kind=PoolKind.CHECK)
    # Set operations: a lookup in both tables for each item takes three times as long.
    items, judged, published_too = (
        each.order_by().values("topic", "docno") for each in (pooled, standing, graded)
    )
    item_count = items.distinct().count()
    return JudgedShare(
        item_count - items.difference(judged, published_too).count(),
        item_count,
        standing.filter(judged_at__gt=published.created_at).count(),
    )


def measured_workload(task: Task) -> Workload:
    """Return the median active seconds of the task's judgments, and the number of active assessors."""
    standing = Judgment.objects.standing().filter(task=task)
    seconds = [each for each in standing.values_list("active_seconds", flat=True) if each is not None]
    assessors = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR, user__is_active=True)
    return Workload(median(seconds) if seconds else None, assessors.count())
