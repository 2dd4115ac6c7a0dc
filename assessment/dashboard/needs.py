"""Open actions of organizers while a task is judged: what is late, unassigned, unsettled or unpublished."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef
from django.urls import reverse

from assessment.core.pace_chart import Outlook
from assessment.dashboard.forecasts import AssessorForecast, AssessorRow
from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import Assignment
from assessment.models.item_counts import QueuedTopic
from assessment.models.purposes import AssignmentKind
from evaluation.panels import OpenAction
from evaluation.pools.models import PoolItem, PoolTopic
from evaluation.tracks.models import Phase, Task

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
