"""Progress and workload of judging: for the task's page, the pool's page and the API."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection
from django.db.models import Count, Q, Sum

from assessment.assigning.counts import AssignmentCount, count_assignments
from assessment.core.distribution import GradeSegment, lay_out_counts
from assessment.core.pace import RECENT
from assessment.models.aggregates import JudgedItem, Tally
from assessment.models.assignment import Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.judgment import Judgment
from assessment.models.purposes import AssignmentKind
from assessment.models.slot import QueuedTopic, Slot
from evaluation.platform.access.people import Membership, Role, User
from evaluation.results.qrels.models import Qrels, QrelsPair
from evaluation.results.qrels.shares import JudgedShare
from evaluation.submissions.pools.models import Pool, PoolItem, PoolKind
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.panels import Workload

EVERYTHING = slice(None)
PAGE_SIZE = 20


@dataclass
class AssessorProgress:
    """One assessor's share of a task: items judged and left, grades, and active seconds per item.

    An ended assignment has no items left. ``median_seconds`` is of the last 1,000 judgments, null if none of
    them was measured.
    """

    assessor: User
    judged_count: int = 0
    left_count: int = 0
    distribution: list[GradeSegment] = field(default_factory=list)
    median_seconds: float | None = None
    last_at: datetime | None = None


def progress_by_assessor(
    task: Task,
    counts: Mapping[int, AssignmentCount] | None = None,
    *,
    page: slice = EVERYTHING,
    urgency: Callable[[User], float] = lambda _: 0,
) -> list[AssessorProgress]:
    """Return one row for each person with an assignment in the task; ``page`` limits the list.

    Sorted by falling urgency, then by name. ``counts`` is the result of ``count_assignments``, if the caller
    has it.
    """
    assignment_counts = list((count_assignments(task) if counts is None else counts).values())
    people = User.objects.in_bulk({count.assessor for count in assignment_counts})
    users = sorted(people.values(), key=lambda person: (-urgency(person), str(person)))[page]
    rows = {user.pk: AssessorProgress(user) for user in users}
    for count in assignment_counts:
        if row := rows.get(count.assessor):
            row.judged_count += count.judged_count
            row.left_count += count.left_count
    scale = Criteria.objects.current(task).scale
    grades: dict[int, dict[int | None, int]] = defaultdict(dict)
    tallies = Tally.objects.filter(task=task, assessor__in=rows).order_by()
    for assessor, grade, total in tallies.values_list("assessor", "grade").annotate(total=Sum("count")):
        grades[assessor][grade] = total
    with connection.cursor() as cursor:
        cursor.execute(PACES, [list(rows), task.pk, RECENT])
        for pk, median_seconds, last_at in cursor.fetchall():
            rows[pk].median_seconds, rows[pk].last_at = median_seconds, last_at
    for pk, row in rows.items():
        row.distribution = lay_out_counts(grades[pk], scale)
    return list(rows.values())


PACES = """
    SELECT assessor, percentile_cont(0.5) WITHIN GROUP (ORDER BY active_seconds), max(judged_at)
    FROM unnest(%s::bigint[]) AS assessor, LATERAL (
        SELECT active_seconds, judged_at FROM assessment_currentjudgment
        WHERE task_id = %s AND assessor_id = assessor ORDER BY judged_at DESC LIMIT %s
    ) AS recent
    GROUP BY assessor
"""
MEDIAN = """
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY active_seconds) FROM assessment_currentjudgment
    WHERE task_id = %s
"""


@dataclass(frozen=True)
class QueueProgress:
    """The progress of a pool that is judged item by item; ``leased_count`` counts the leased slots."""

    pool: Pool
    wanted_count: int
    given_count: int
    leased_count: int

    @property
    def left_count(self) -> int:
        """The number of missing judgments."""
        return self.wanted_count - self.given_count


def queued_topics(task: Task) -> list[tuple[int, str, int]]:
    """Return pool, topic and number of slots of each topic that is judged item by item."""
    return list(QueuedTopic.objects.filter(pool__task=task).values_list("pool", "topic", "slot_count"))


def progress_by_queue(
    task: Task,
    counts: Mapping[int, AssignmentCount] | None = None,
    queued: Iterable[tuple[int, str, int]] | None = None,
) -> list[QueueProgress]:
    """Return the progress of each pool of the task that is judged item by item.

    ``counts`` and ``queued`` are the results of ``count_assignments`` and ``queued_topics``, if the caller
    has them.
    """
    slots: Counter[int] = Counter()
    for pool, _, slot_count in queued_topics(task) if queued is None else queued:
        slots[pool] += slot_count
    slots = +slots  # without pools that have no slot left
    if not slots:
        return []
    filled: Counter[int] = Counter()
    for count in (count_assignments(task) if counts is None else counts).values():
        filled[count.pool] += count.filled_count
    rows = Slot.objects.filter(pool__in=slots).leased().order_by().values_list("pool")
    leased = Counter(dict(rows.annotate(Count("pk"))))
    return [
        QueueProgress(pool, slots[pool.pk], filled[pool.pk], leased[pool.pk])
        for pool in Pool.objects.filter(pk__in=slots).order_by("pk")
    ]


def progress_by_topic(
    task: Task, counts: Mapping[int, AssignmentCount] | None = None, *, page: slice = EVERYTHING
) -> list[tuple[str, list[Assignment]]]:
    """Return each assigned topic of the task with its assignments, the owners' first.

    ``counts`` and ``page`` are those of ``progress_by_assessor``.
    """
    counts = count_assignments(task) if counts is None else counts
    numbers = sorted({count.topic for count in counts.values()}, key=str.encode)[page]
    topics: dict[str, list[Assignment]] = {topic: [] for topic in numbers}
    assignments = Assignment.objects.filter(pool__task=task, topic__in=numbers).order_by("pk")
    kinds = AssignmentKind.values
    for row in sorted(assignments.select_related("assessor", "pool"), key=lambda row: kinds.index(row.kind)):
        row.item_count, row.judged_count = counts[row.pk].item_count, counts[row.pk].judged_count
        topics[row.topic].append(row)
    return list(topics.items())


def counted_share(task: Task, published: Qrels) -> JudgedShare:
    """Count the items of the task's pools with a judgment or a published grade, and later judgments.

    Check pools are excluded. "Cannot judge" is a judgment; undone ones do not count. Judgments that an
    exclusion, or its undo, has changed since are later ones.
    """
    judgments = Judgment.objects.counted().of_work().filter(task=task)
    changed = Q(made_at__gt=published.created_at) | Q(undone_at__gt=published.created_at)
    exclusions = Exclusion.objects.filter(changed, task=task)
    graded = QrelsPair.objects.graded().filter(qrels=published)
    pooled = PoolItem.objects.filter(pool__task=task).exclude(pool__kind=PoolKind.CHECK)
    judged_items = JudgedItem.objects.filter(task=task).with_judgment()
    # Set operations take a third of the time of lookups in both tables for each item.
    items, judged, published_too = (
        pairs.order_by().values("topic", "docno") for pairs in (pooled, judged_items, graded)
    )
    item_count = items.distinct().count()
    return JudgedShare(
        item_count - items.difference(judged, published_too).count(),
        item_count,
        judgments.filter(judged_at__gt=published.created_at).count()
        + sum(exclusion.judgments.of_work().count() for exclusion in exclusions),
    )


def measured_workload(task: Task) -> Workload:
    """Return the median active seconds of current judgments, and the number of active assessors."""
    with connection.cursor() as cursor:
        cursor.execute(MEDIAN, [task.pk])
        ((seconds,),) = cursor.fetchall()
    assessors = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR, user__is_active=True)
    return Workload(seconds, assessors.count())
