"""The sections of the task's page on judging: open actions of organizers, progress and expected end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.counts import AssignmentCount, count_assignments
from assessment.core.pace_chart import Outlook, draw_pace, find_outlook
from assessment.dashboard.progress import (
    AssessorProgress,
    QueueProgress,
    progress_by_assessor,
    progress_by_queue,
)
from assessment.models.aggregate_updates import IS_PACED
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import Assignment
from assessment.models.item_counts import AssignedCount, QueuedTopic
from assessment.models.purposes import AssignmentKind
from evaluation.access.people import User
from evaluation.panels import OpenAction
from evaluation.pools.models import PoolItem, PoolTopic
from evaluation.tracks.models import Phase, Task

TILES = 40
ASSESSORS = 10  # in the table, the late ones first
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

    @property
    def is_done(self) -> bool:
        """Whether no judgment is missing."""
        return self.given_count == self.wanted_count


class AssessorPace(NamedTuple):
    """The number of judgments in the last seven days, and the time of the first judgment."""

    week_count: int
    first_at: datetime


@dataclass(frozen=True)
class AssessorForecast:
    """An assessor's judgments, extrapolated to the deadline; ``late_days`` beyond it."""

    outlook: Outlook
    late_days: int

    @property
    def state(self) -> tuple[str, str]:
        """The state as a CSS class and as text."""
        if not self.outlook.left_count:
            return "ok", "done"
        if not self.outlook.day_count:
            return "warn", "not started" if self.outlook.day_count is None else "idle for 7 days"
        if self.late_days:
            return "warn", f"late by {self.late_days} d"
        return "ok", "on time"

    @property
    def is_late(self) -> bool:
        """Whether the assessor will miss the deadline, or has not judged in the last seven days."""
        return self.state[0] == "warn"

    @property
    def urgency(self) -> int:
        """Judgments left if the assessor is late."""
        return self.outlook.left_count if self.is_late else 0


@dataclass(frozen=True)
class AssessorRow:
    """An assessor's progress and forecast."""

    progress: AssessorProgress
    forecast: AssessorForecast


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
    days, paces = days_and_paces(task)
    outlook = find_outlook(
        sum(count for _, count in days),
        _left(counts.values(), queues),
        sum(pace.week_count for pace in paces.values()),
        first_at=_first(paces),
        now=now,
    )
    forecasts = _forecasts(task, counts.values(), paces, now)
    people = progress_by_assessor(
        task, counts, page=slice(ASSESSORS), urgency=lambda person: forecasts[person.pk].urgency
    )
    rows = [AssessorRow(each, forecasts[each.assessor.pk]) for each in people]
    tiles = _tiles(task, counts)
    return {
        "task": task,
        "is_organizer": True,
        "outlook": outlook,
        "chart": draw_pace(days, outlook, now=now, deadline=task.releases_at) if days else None,
        "rows": rows,
        "assessor_count": len(forecasts),
        "late_count": sum(each.is_late for each in forecasts.values()),
        "queues": queues,
        "tiles": sorted(sorted(tiles, key=lambda tile: tile.share)[:TILES], key=lambda tile: tile.topic),
        "topic_count": len(tiles),
        "pool_count": task.pools.count(),
        "done_count": sum(tile.is_done for tile in tiles),
        "needs": list(_needs(task, rows, forecasts.values(), outlook)),
    }


def _left(counts: Iterable[AssignmentCount], queues: Iterable[QueueProgress]) -> int:
    """Count the missing judgments of assignments and of queues."""
    assigned = (
        each.left_count for each in counts if each.kind in (AssignmentKind.OWNER, AssignmentKind.SECOND)
    )
    return sum(assigned) + sum(queue.left_count for queue in queues)


# The quarter in which the last seven days begin is counted judgment by judgment.
QUARTERS = f"""
    SELECT date_trunc('day', started_at AT TIME ZONE %(zone)s), quarter.assessor_id, sum(quarter.count),
        coalesce(sum(CASE WHEN started_at > week.start THEN quarter.count ELSE (
            SELECT count(*) FROM assessment_currentjudgment AS judgment
            JOIN assessment_judgeditem AS item ON item.id = judgment.item_id AND item.topic = quarter.topic
            WHERE judgment.task_id = quarter.task_id AND judgment.assessor_id = quarter.assessor_id
                AND judged_at > week.start AND judged_at < started_at + interval '15 minutes'
                AND {IS_PACED.format(purpose="purpose")}
        ) END) FILTER (WHERE started_at > week.start - interval '15 minutes'), 0)
    FROM assessment_judgedquarter AS quarter, (SELECT now() - interval '7 days' AS start) AS week
    WHERE quarter.task_id = %(task)s AND quarter.count > 0
    GROUP BY 1, 2 ORDER BY 1
"""  # noqa: S608 - our own constants
FIRST = f"""
    SELECT person.id, first.judged_at FROM unnest(%(assessors)s::bigint[]) AS person (id), LATERAL (
        SELECT judged_at FROM assessment_currentjudgment
        WHERE task_id = %(task)s AND assessor_id = person.id
            AND {IS_PACED.format(purpose="purpose")}
        ORDER BY judged_at LIMIT 1
    ) AS first
"""  # noqa: S608 - as above


def days_and_paces(task: Task) -> tuple[list[tuple[datetime, int]], dict[int, AssessorPace]]:
    """Return the current judgments by day in the task's time zone, and the pace of each assessor with one.

    Adjudication and extra judgments are not counted.
    """
    zone = ZoneInfo(task.time_zone)
    days: Counter[datetime] = Counter()
    week: Counter[int] = Counter()
    with connection.cursor() as cursor:
        cursor.execute(QUARTERS, {"zone": task.time_zone, "task": task.pk})
        for day, assessor, count, week_count in cursor.fetchall():
            days[day.replace(tzinfo=zone)] += int(count)
            week[assessor] += int(week_count)
        cursor.execute(FIRST, {"assessors": list(week), "task": task.pk})
        paces = {assessor: AssessorPace(week[assessor], first_at) for assessor, first_at in cursor.fetchall()}
    return list(days.items()), paces


def _first(paces: Mapping[int, AssessorPace]) -> datetime | None:
    return min((pace.first_at for pace in paces.values()), default=None)


def _forecasts(
    task: Task, counts: Iterable[AssignmentCount], paces: Mapping[int, AssessorPace], now: datetime
) -> dict[int, AssessorForecast]:
    """Return the forecast of every person with an assignment in the task."""
    judged: Counter[int] = Counter()
    left: Counter[int] = Counter()
    for each in counts:
        judged[each.assessor] += each.judged_count
        left[each.assessor] += each.left_count
    first_at = _first(paces)
    found = {}
    for pk in judged:
        week_count = paces[pk].week_count if pk in paces else 0
        outlook = find_outlook(
            judged[pk], left[pk], week_count, first_at=first_at if pk in paces else None, now=now
        )
        late = timedelta(0)
        if outlook.done_at and task.releases_at:
            late = outlook.done_at - task.releases_at
        found[pk] = AssessorForecast(outlook, max(late.days + (late > timedelta(0)), 0))
    return found


def _tiles(task: Task, counts: Mapping[int, AssignmentCount]) -> list[TopicTile]:
    """Return the judgments given and needed by topic, of assignments and slots."""
    given: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for each in counts.values():
        if each.kind in (AssignmentKind.OWNER, AssignmentKind.SECOND):
            given[each.topic] += each.judged_count
            wanted[each.topic] += each.judged_count + each.left_count
    queued = QueuedTopic.objects.filter(pool__task=task)
    for topic, count in queued.values_list("topic", "slot_count"):
        wanted[topic] += count
    filled = AssignedCount.objects.filter(assignment__pool__task=task, filled_count__gt=0)
    for topic, count in filled.values_list("assignment__topic", "filled_count"):
        given[topic] += count
    return [TopicTile(topic, given[topic], count) for topic, count in wanted.items()]


def _needs(
    task: Task, rows: Sequence[AssessorRow], forecasts: Iterable[AssessorForecast], outlook: Outlook
) -> Iterable[OpenAction]:
    def address(name: str) -> str:
        return reverse(name, args=[task.track.slug, task.slug])

    disputed = JudgedItem.objects.filter(task=task).disputed()
    if unseen := disputed.filter(is_unseen=True).count():
        words = "a picture that does not show" if unseen == 1 else f"{unseen:,} pictures that do not show"
        yield OpenAction("bad", f"Assessors report {words}", f"{address('disagreement_list')}?show=image")
    if task.phase == Phase.JUDGING:
        yield from _late(rows, forecasts)
        if unassigned := _unassigned(task):
            words = "1 topic is" if unassigned == 1 else f"{unassigned:,} topics are"
            yield OpenAction("warn", f"{words} assigned to nobody", address("topics_assign"))
    if waiting := disputed.filter(is_settled=False).count():
        words = "1 item is" if waiting == 1 else f"{waiting:,} items are"
        yield OpenAction(
            "", f"{words} to settle", address("disagreement_list"), "graded differently or flagged"
        )
    if outlook.wanted_count and not outlook.left_count and not task.qrels.filter(kind="human").exists():
        yield OpenAction("", "Publish people's qrels", address("judging_progress"), "all judgments are given")


def _late(rows: Sequence[AssessorRow], forecasts: Iterable[AssessorForecast]) -> Iterable[OpenAction]:
    """Yield the most urgent late assessors, who are the first rows, and the number of the other late ones."""
    late_count = sum(each.is_late for each in forecasts)
    for row in rows[: min(late_count, MOST_NAMED)]:
        outlook, (_, words) = row.forecast.outlook, row.forecast.state
        items = "item" if outlook.left_count == 1 else "items"
        left = f"{row.progress.assessor} has {outlook.left_count:,} {items} left"
        yield OpenAction("warn", left, "#by-assessor", words)
    if late_count > MOST_NAMED:
        rest = late_count - MOST_NAMED
        words = "1 more assessor is late" if rest == 1 else f"{rest:,} more assessors are late"
        yield OpenAction("warn", words, "#by-assessor")


def _unassigned(task: Task) -> int:
    """Count the topics with unjudged items and without an owner, in pools that are judged by topic."""
    pooled = PoolTopic.objects.filter(pool__task=task)
    queued = QueuedTopic.objects.filter(pool__task=task, slot_count__gt=0).values("pool")
    assigned = Assignment.objects.filter(pool__task=task, kind=AssignmentKind.OWNER).going_on()
    topics = set(pooled.exclude(pool__in=queued).values_list("pool", "topic"))
    free = topics.difference(assigned.order_by().values_list("pool", "topic"))
    if not free:
        return 0
    of_item = JudgedItem.objects.filter(task=task, topic=OuterRef("topic"), docno=OuterRef("docno"))
    judged = of_item.exclude(grades=[], refusal_count=0)
    items = PoolItem.objects.filter(pool__in={pool for pool, _ in free}).order_by()
    unjudged = items.exclude(Exists(judged))
    return len(
        {topic for pool, topic in unjudged.values_list("pool", "topic").distinct() if (pool, topic) in free}
    )
