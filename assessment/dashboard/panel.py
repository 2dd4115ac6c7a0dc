"""The sections of the task's page on judging: open actions of organizers, progress and expected end."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.counts import AssignmentCount, count_assignments
from assessment.core.pace import Outlook, draw_pace, find_outlook
from assessment.dashboard.progress import (
    AssessorForecast,
    AssessorRow,
    days_and_paces,
    first_judged_at,
    forecast_assessors,
    progress_by_assessor,
    progress_by_queue,
)
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import Assignment
from assessment.models.purposes import AssignmentKind
from assessment.models.slot import AssignedCount, QueuedTopic
from evaluation.platform.access.people import User, organizes
from evaluation.submissions.pools.models import PoolItem, PoolTopic
from evaluation.tracks.models import Phase, Task
from evaluation.tracks.panels import OpenAction

TILES = 40
FOR_QRELS = (AssignmentKind.OWNER, AssignmentKind.SECOND)
ASSESSORS = 10  # in the table, the late ones first


@dataclass(frozen=True)
class TopicTile:
    """A topic's judgments, given and needed."""

    topic: str
    judgment_count: int
    needed_count: int

    @property
    def share(self) -> float:
        """The share given, in per cent."""
        return 100 * self.judgment_count / self.needed_count if self.needed_count else 100.0

    @property
    def is_done(self) -> bool:
        """Whether no judgment is missing."""
        return self.judgment_count == self.needed_count


def judging_panel(task: Task, user: User) -> dict[str, Any] | None:
    """Return the progress for organizers, their topics for assessors, None for others."""
    if organizes(user, task.track_id):
        return _dashboard(task)
    assignments = Assignment.objects.held_by(user).filter(pool__task=task).with_progress()
    if not assignments:
        return None
    left_count = sum(assignment.item_count - assignment.judged_count for assignment in assignments)
    return {"task": task, "is_organizer": False, "topic_count": len(assignments), "left_count": left_count}


def _dashboard(task: Task) -> dict[str, Any]:
    now = timezone.now()
    counts, queues = count_assignments(task), progress_by_queue(task)
    days, paces = days_and_paces(task)
    left_counts = [count.left_count for count in counts.values() if count.kind in FOR_QRELS]
    outlook = find_outlook(
        sum(count for _, count in days),
        sum(left_counts) + sum(queue.left_count for queue in queues),
        sum(pace.week_count for pace in paces.values()),
        first_at=first_judged_at(paces),
        now=now,
    )
    forecasts = forecast_assessors(task, counts.values(), paces, now)
    people = progress_by_assessor(
        task, counts, page=slice(ASSESSORS), urgency=lambda person: forecasts[person.pk].urgency
    )
    rows = [AssessorRow(progress, forecasts[progress.assessor.pk]) for progress in people]
    tiles = _tiles(task, counts)
    return {
        "task": task,
        "is_organizer": True,
        "outlook": outlook,
        "chart": draw_pace(days, outlook, now=now, deadline=task.releases_at) if days else None,
        "rows": rows,
        "assessor_count": len(forecasts),
        "late_count": sum(forecast.is_late for forecast in forecasts.values()),
        "queues": queues,
        "tiles": sorted(sorted(tiles, key=lambda tile: tile.share)[:TILES], key=lambda tile: tile.topic),
        "topic_count": len(tiles),
        "pool_count": task.pools.count(),
        "done_count": sum(tile.is_done for tile in tiles),
        "needs": list(open_actions(task, rows, forecasts.values(), outlook)),
    }


def _tiles(task: Task, counts: Mapping[int, AssignmentCount]) -> list[TopicTile]:
    """Return the judgments given and needed by topic, of assignments and slots."""
    judgments: Counter[str] = Counter()
    needed_counts: Counter[str] = Counter()
    for count in counts.values():
        if count.kind in FOR_QRELS:
            judgments[count.topic] += count.judged_count
            needed_counts[count.topic] += count.judged_count + count.left_count
    queued = QueuedTopic.objects.filter(pool__task=task)
    for topic, slot_count in queued.values_list("topic", "slot_count"):
        needed_counts[topic] += slot_count
    filled = AssignedCount.objects.filter(assignment__pool__task=task, filled_count__gt=0)
    for topic, filled_count in filled.values_list("assignment__topic", "filled_count"):
        judgments[topic] += filled_count
    return [TopicTile(topic, judgments[topic], needed_count) for topic, needed_count in needed_counts.items()]


MOST_NAMED = 3  # late assessors that get a line each


def open_actions(
    task: Task, rows: Sequence[AssessorRow], forecasts: Iterable[AssessorForecast], outlook: Outlook
) -> Iterable[OpenAction]:
    """Yield what organizers can do now, what fails first; ``rows`` has the late assessors first."""

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
    if outlook.wanted_count and not outlook.left_count and not task.qrels.filter(kind="human").exists():
        yield OpenAction("", "Publish people's qrels", address("judging_progress"), "all judgments are given")


def _late(rows: Sequence[AssessorRow], forecasts: Iterable[AssessorForecast]) -> Iterable[OpenAction]:
    """Yield the most urgent late assessors, who are the first rows, and the number of the other late ones."""
    late_count = sum(forecast.is_late for forecast in forecasts)
    for row in rows[: min(late_count, MOST_NAMED)]:
        outlook, (_, words) = row.forecast.outlook, row.forecast.state
        items = "item" if outlook.left_count == 1 else "items"
        text = f"{row.progress.assessor} has {outlook.left_count:,} {items} left"
        yield OpenAction("warn", text, "#by-assessor", words)
    if late_count > MOST_NAMED:
        more_count = late_count - MOST_NAMED
        words = "1 more assessor is late" if more_count == 1 else f"{more_count:,} more assessors are late"
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
    judged_items = JudgedItem.objects.filter(task=task, topic=OuterRef("topic"), docno=OuterRef("docno"))
    judged = judged_items.exclude(grades=[], refusal_count=0)
    items = PoolItem.objects.filter(pool__in={pool for pool, _ in free}).order_by()
    unjudged = items.exclude(Exists(judged))
    return len(
        {topic for pool, topic in unjudged.values_list("pool", "topic").distinct() if (pool, topic) in free}
    )
