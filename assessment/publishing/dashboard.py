"""The sections of the task's page on judging: open actions of organizers, progress and expected end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.counts import AssignmentCount, count_assignments
from assessment.assigning.progress import (
    PAGE_SIZE,
    AssessorProgress,
    progress_by_assessor,
    progress_by_queue,
)
from assessment.core.pace_chart import Outlook, draw_pace, find_outlook
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import Assignment, AssignmentKind
from assessment.models.slot import Slot
from evaluation.panels import OpenAction
from evaluation.pools.models import PoolItem
from evaluation.tracks.models import Phase, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assessment.assigning.progress import QueueProgress
    from evaluation.access.people import User

TILES = 40
MOST_NAMED = 3  # late assessors that get a line each


@dataclass(frozen=True)
class TopicTile:
    """A topic's judgments, given and needed."""

    topic: str
    given_count: int
    wanted_count: int

    @property
    def share(self) -> float:
        """The share given, in per cent."""
        return 100 * self.given_count / self.wanted_count if self.wanted_count else 100.0


@dataclass(frozen=True)
class AssessorRow:
    """An assessor's progress, extrapolated to the deadline."""

    progress: AssessorProgress
    outlook: Outlook
    late_days: int

    @property
    def state(self) -> tuple[str, str]:
        """The state as a CSS class and as text."""
        if not self.outlook.left_count:
            return "ok", "done"
        if not self.outlook.day_count:
            return "warn", "not started" if self.progress.last_at is None else "none for 7 days"
        if self.late_days:
            return "warn", f"late by {self.late_days} d"
        return "ok", "on time"


def judging_panel(task: Task, user: User) -> dict[str, Any] | None:
    """Return the progress for organizers, their topics for assessors, None for others."""
    if Task.objects.organized_by(user).contains(task):
        return _dashboard(task)
    own = Assignment.objects.held_by(user).filter(pool__task=task).with_progress()
    if not own:
        return None
    left = sum(each.item_count - each.judged_count for each in own)
    return {"task": task, "is_organizer": False, "topic_count": len(own), "left_count": left}


def _dashboard(task: Task) -> dict[str, Any]:
    now = timezone.now()
    counts, queues = count_assignments(task), progress_by_queue(task)
    days = _given_by_day(task)
    week_count, first_at = _pace(task)
    given_count = sum(count for _, count in days)
    outlook = find_outlook(
        given_count, _left(counts.values(), queues), week_count, first_at=first_at, now=now
    )
    rows = [
        _assessor_row(row, task, first_at, now)
        for row in progress_by_assessor(task, counts, page=slice(PAGE_SIZE))
    ]
    tiles = _tiles(task, counts)
    return {
        "task": task,
        "is_organizer": True,
        "outlook": outlook,
        "chart": draw_pace(days, outlook, now=now, deadline=task.releases_at) if days else None,
        "rows": rows,
        "assessor_count": len({each.assessor for each in counts.values()}),
        "queues": queues,
        "tiles": sorted(sorted(tiles, key=lambda tile: tile.share)[:TILES], key=lambda tile: tile.topic),
        "topic_count": len(tiles),
        "needs": list(_needs(task, rows, outlook)),
    }


def _left(counts: Iterable[AssignmentCount], queues: Iterable[QueueProgress]) -> int:
    """Count the missing judgments of assignments and of queues, whose items are leased a few at a time."""
    assigned = (
        each.left_count for each in counts if each.kind in (AssignmentKind.OWNER, AssignmentKind.SECOND)
    )
    return sum(assigned) + sum(queue.left_count for queue in queues)


DAYS = """
    SELECT date_trunc('day', judged_at AT TIME ZONE %s), count(*) FROM assessment_currentjudgment
    WHERE task_id = %s AND purpose NOT IN ('adjudication', 'extra') GROUP BY 1 ORDER BY 1
"""
PACE = """
    SELECT count(*) FILTER (WHERE judged_at > now() - interval '7 days'), min(judged_at)
    FROM assessment_currentjudgment WHERE task_id = %s AND purpose NOT IN ('adjudication', 'extra')
"""


def _given_by_day(task: Task) -> list[tuple[datetime, int]]:
    """Return the current judgments by day in the task's time zone, without adjudication and extra ones."""
    zone = ZoneInfo(task.time_zone)
    with connection.cursor() as cursor:
        cursor.execute(DAYS, [task.time_zone, task.pk])
        return [(day.replace(tzinfo=zone), count) for day, count in cursor.fetchall()]


def _pace(task: Task) -> tuple[int, datetime | None]:
    with connection.cursor() as cursor:
        cursor.execute(PACE, [task.pk])
        ((week_count, first_at),) = cursor.fetchall()
    return week_count, first_at


def _assessor_row(row: AssessorProgress, task: Task, first_at: datetime | None, now: datetime) -> AssessorRow:
    outlook = find_outlook(
        row.judged_count, row.left_count, row.week_count, first_at=row.last_at and first_at, now=now
    )
    late = timedelta(0)
    if outlook.done_at and task.releases_at:
        late = outlook.done_at - task.releases_at
    return AssessorRow(row, outlook, max(late.days + (late > timedelta(0)), 0))


def _tiles(task: Task, counts: Mapping[int, AssignmentCount]) -> list[TopicTile]:
    """Return judgments by topic: of assignments, or of slots if items are leased."""
    given: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for each in counts.values():
        if each.kind in (AssignmentKind.OWNER, AssignmentKind.SECOND):
            given[each.topic] += each.judged_count
            wanted[each.topic] += each.judged_count + each.left_count
    slots = Slot.objects.filter(pool__task=task).order_by().values_list("topic")
    filled = Count("pk", filter=Q(assignment__isnull=False, expires_at__isnull=True))
    for topic, count, given_count in slots.annotate(count=Count("pk"), given_count=filled):
        given[topic] += given_count
        wanted[topic] += count
    return [TopicTile(topic, given[topic], count) for topic, count in wanted.items()]


def _needs(task: Task, rows: list[AssessorRow], outlook: Outlook) -> Iterable[OpenAction]:
    def address(name: str) -> str:
        return reverse(name, args=[task.track.slug, task.slug])

    disputed = JudgedItem.objects.filter(task=task).disputed()
    if unseen := disputed.filter(is_unseen=True).count():
        words = "1 picture does not show" if unseen == 1 else f"{unseen:,} pictures do not show"
        yield OpenAction("bad", words, f"{address('disagreement_list')}?show=image", "to an assessor")
    if task.phase == Phase.JUDGING:
        yield from _late(rows)
        if unassigned := _unassigned(task):
            words = "1 topic is" if unassigned == 1 else f"{unassigned:,} topics are"
            yield OpenAction("warn", f"{words} assigned to nobody", address("topics_assign"))
    if waiting := disputed.filter(is_settled=False).count():
        words = "1 item is" if waiting == 1 else f"{waiting:,} items are"
        yield OpenAction(
            "", f"{words} to settle", address("disagreement_list"), "graded differently or flagged"
        )
    if outlook.wanted_count and not outlook.left_count and not task.qrels.filter(kind="human").exists():
        yield OpenAction("", "Publish people's qrels", address("judging_progress"), "every judgment is done")


def _late(rows: list[AssessorRow]) -> Iterable[OpenAction]:
    late = [row for row in rows if row.state[0] == "warn"]
    late.sort(key=lambda row: -row.outlook.left_count)
    for row in late[:MOST_NAMED]:
        left = f"{row.progress.assessor} has {row.outlook.left_count:,} items left"
        yield OpenAction("warn", left, "#by-assessor", row.state[1])
    if len(late) > MOST_NAMED:
        yield OpenAction("warn", f"{len(late) - MOST_NAMED:,} more assessors are late", "#by-assessor")


def _unassigned(task: Task) -> int:
    """Count the topics of the task's pools without an active assignment, unless it is queued item by item."""
    pooled = PoolItem.objects.filter(pool__task=task).order_by().values("pool", "topic").distinct()
    assigned = Assignment.objects.filter(pool__task=task, kind=AssignmentKind.OWNER).going_on()
    queued = Slot.objects.filter(pool__task=task)
    return (
        pooled.exclude(pool__in=queued.values("pool"))
        .difference(assigned.order_by().values("pool", "topic"))
        .count()
    )
