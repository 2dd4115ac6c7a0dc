"""The sections of the task's page on judging: open actions of organizers, progress and expected end."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.db.models.expressions import BaseExpression
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.counts import AssignmentCount, count_assignments
from assessment.core.pace import Outlook, draw_pace, find_outlook
from assessment.dashboard.forecasts import (
    AssessorForecast,
    AssessorRow,
    days_and_paces,
    first_judged_at,
    forecast_assessors,
)
from assessment.dashboard.progress import progress_by_assessor, progress_by_queue, queued_topics
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import Assignment
from assessment.models.purposes import AssignmentKind
from evaluation.platform.access.people import User, organizes
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.pools.models import Pool, PoolItem, PoolTopic
from evaluation.tracks.facts import CountOf, Facts
from evaluation.tracks.models import Phase, Task, TaskKind
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


def judging_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the numbers of pools and of pictures that do not show, and whether people's qrels exist."""
    disputed = JudgedItem.objects.filter(task=OuterRef("pk")).disputed()
    return {
        "pool_count": CountOf(Pool.objects.filter(task=OuterRef("pk"))),
        "unseen_count": CountOf(disputed.filter(is_unseen=True)),
        "has_human_qrels": Exists(Qrels.objects.filter(task=OuterRef("pk"), kind=QrelsKind.HUMAN)),
    }


def judging_panel(task: Task, user: User, facts: Facts) -> dict[str, Any] | None:
    """Return the progress for organizers, their topics for assessors, None for others."""
    if organizes(user, task.track_id):
        return _dashboard(task, facts)
    assignments = Assignment.objects.held_by(user).filter(pool__task=task).with_progress()
    if not assignments:
        return None
    left_count = sum(assignment.item_count - assignment.judged_count for assignment in assignments)
    return {"task": task, "is_organizer": False, "topic_count": len(assignments), "left_count": left_count}


def _dashboard(task: Task, facts: Facts) -> dict[str, Any]:
    now = timezone.now()
    counts, queued = count_assignments(task), queued_topics(task)
    queues = progress_by_queue(task, counts, queued)
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
    tiles = _tiles(counts.values(), queued)
    is_judging = task.phase == Phase.JUDGING
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
        "pool_count": facts["pool_count"],
        "done_count": sum(tile.is_done for tile in tiles),
        "needs": [
            *_unseen(task, facts["unseen_count"]),
            *(_late(rows, forecasts.values()) if is_judging else ()),
            *(_unassigned(task, counts.values(), queued) if is_judging else ()),
            *(() if facts["has_human_qrels"] else _unpublished(task, outlook)),
        ],
    }


def _tiles(counts: Iterable[AssignmentCount], queued: Iterable[tuple[int, str, int]]) -> list[TopicTile]:
    """Return the judgments given and needed by topic, of assignments and slots."""
    judgments: Counter[str] = Counter()
    needed_counts: Counter[str] = Counter()
    for count in counts:
        if count.kind in FOR_QRELS:
            judgments[count.topic] += count.judged_count
            needed_counts[count.topic] += count.judged_count + count.left_count
        judgments[count.topic] += count.filled_count
    for _, topic, slot_count in queued:
        needed_counts[topic] += slot_count
    return [TopicTile(topic, judgments[topic], needed_count) for topic, needed_count in needed_counts.items()]


MOST_NAMED = 3  # late assessors that get a line each


def _address(name: str, task: Task) -> str:
    return reverse(name, args=[task.track.slug, task.slug])


def _unseen(task: Task, unseen: int) -> Iterable[OpenAction]:
    if unseen:
        words = "a picture that does not show" if unseen == 1 else f"{unseen:,} pictures that do not show"
        address = f"{_address('disagreement_list', task)}?show=image"
        yield OpenAction("bad", f"Assessors report {words}", address)


def _unpublished(task: Task, outlook: Outlook) -> Iterable[OpenAction]:
    if outlook.wanted_count and not outlook.left_count:
        address = _address("judging_progress", task)
        yield OpenAction("", "Publish people's qrels", address, "all judgments are given")


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


def _unassigned(
    task: Task, counts: Iterable[AssignmentCount], queued: Iterable[tuple[int, str, int]]
) -> Iterable[OpenAction]:
    """Yield the number of topics with unjudged items and no owner, in pools that are judged by topic."""
    owners = {
        (count.pool, count.topic)
        for count in counts
        if count.kind == AssignmentKind.OWNER and not count.is_ended
    }
    queues = {pool for pool, _, slot_count in queued if slot_count}
    pooled = PoolTopic.objects.filter(pool__task=task).exclude(pool__in=queues)
    free = set(pooled.values_list("pool", "topic")) - owners
    if topic_count := _unjudged(task, free):
        words = "1 topic is" if topic_count == 1 else f"{topic_count:,} topics are"
        yield OpenAction("warn", f"{words} assigned to nobody", _address("topics_assign", task))


def _unjudged(task: Task, topics: Collection[tuple[int, str]]) -> int:
    """Count the topics, given with their pools, that have unjudged items."""
    if not topics:
        return 0
    judged_items = JudgedItem.objects.filter(task=task, topic=OuterRef("topic"), docno=OuterRef("docno"))
    judged = judged_items.with_judgment()
    items = PoolItem.objects.filter(pool__in={pool for pool, _ in topics}).order_by()
    unjudged = items.exclude(Exists(judged)).values_list("pool", "topic").distinct()
    return len({topic for pool, topic in unjudged if (pool, topic) in topics})
