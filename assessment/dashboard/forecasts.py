"""Forecasts of judging: the pace of each assessor, and when the task and each of them will be done."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db import connection

from assessment.assigning.counts import AssignmentCount
from assessment.core.pace import Outlook, find_outlook
from assessment.dashboard.progress import AssessorProgress
from assessment.models.aggregate_updates import IS_PACED
from evaluation.tracks.models import Task


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


# The quarter in which the last seven days begin is counted judgment by judgment.
QUARTERS = f"""
    WITH days AS MATERIALIZED (
        SELECT date_trunc('day', started_at AT TIME ZONE %(zone)s) AS day, quarter.assessor_id,
            sum(quarter.count) AS count,
            coalesce(sum(CASE WHEN started_at > week.start THEN quarter.count ELSE (
                SELECT count(*) FROM assessment_currentjudgment AS judgment
                JOIN assessment_judgeditem AS item
                    ON item.id = judgment.item_id AND item.topic = quarter.topic
                WHERE judgment.task_id = quarter.task_id AND judgment.assessor_id = quarter.assessor_id
                    AND judged_at > week.start AND judged_at < started_at + interval '15 minutes'
                    AND {IS_PACED.format(purpose="purpose")}
            ) END) FILTER (WHERE started_at > week.start - interval '15 minutes'), 0) AS week_count
        FROM assessment_judgedquarter AS quarter, (SELECT now() - interval '7 days' AS start) AS week
        WHERE quarter.task_id = %(task)s AND quarter.count > 0
        GROUP BY 1, 2
    ), people AS MATERIALIZED (
        SELECT assessor_id, (
            SELECT judged_at FROM assessment_currentjudgment AS judgment
            WHERE task_id = %(task)s AND judgment.assessor_id = person.assessor_id
                AND {IS_PACED.format(purpose="purpose")}
            ORDER BY judged_at LIMIT 1
        ) AS first_at FROM (SELECT DISTINCT assessor_id FROM days) AS person
    )
    SELECT day, assessor_id, count, week_count, first_at FROM days JOIN people USING (assessor_id)
    ORDER BY day
"""  # noqa: S608 - our own constants


def days_and_paces(task: Task) -> tuple[list[tuple[datetime, int]], dict[int, AssessorPace]]:
    """Return the current judgments by day in the task's time zone, and the pace of each assessor with one.

    Adjudication and extra judgments are not counted.
    """
    zone = ZoneInfo(task.time_zone)
    days: Counter[datetime] = Counter()
    week: Counter[int] = Counter()
    firsts = {}
    with connection.cursor() as cursor:
        cursor.execute(QUARTERS, {"zone": task.time_zone, "task": task.pk})
        for day, assessor, count, week_count, first_at in cursor.fetchall():
            days[day.replace(tzinfo=zone)] += int(count)
            week[assessor] += int(week_count)
            firsts[assessor] = first_at
    paces = {assessor: AssessorPace(week[assessor], first) for assessor, first in firsts.items() if first}
    return list(days.items()), paces


def first_judged_at(paces: Mapping[int, AssessorPace]) -> datetime | None:
    """Return when the first judgment of all was given; None before any."""
    return min((pace.first_at for pace in paces.values()), default=None)


def forecast_assessors(
    task: Task, counts: Iterable[AssignmentCount], paces: Mapping[int, AssessorPace], now: datetime
) -> dict[int, AssessorForecast]:
    """Return the forecast of every person with an assignment in the task."""
    judged: Counter[int] = Counter()
    left_counts: Counter[int] = Counter()
    for count in counts:
        judged[count.assessor] += count.judged_count
        left_counts[count.assessor] += count.left_count
    first_at = first_judged_at(paces)
    forecasts = {}
    for pk in judged:
        week_count = paces[pk].week_count if pk in paces else 0
        outlook = find_outlook(
            judged[pk], left_counts[pk], week_count, first_at=first_at if pk in paces else None, now=now
        )
        delay = timedelta(0)
        if outlook.done_at and task.releases_at:
            delay = outlook.done_at - task.releases_at
        forecasts[pk] = AssessorForecast(outlook, max(delay.days + (delay > timedelta(0)), 0))
    return forecasts
