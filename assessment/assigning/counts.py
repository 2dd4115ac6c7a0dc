"""Count the items and settled items of every assignment of a task with set operations."""

from collections import Counter, defaultdict
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, Sum

from assessment.models.aggregates import Tally
from assessment.models.assignment import Assignment
from assessment.models.item_counts import AssignedCount
from assessment.models.purposes import NOT_SHOWN, AssignmentKind, Purpose
from evaluation.tracks.models import Task


class AssignmentCount(NamedTuple):
    """An assignment with the counts of ``AssignmentQuerySet.with_progress``."""

    topic: str
    assessor: int
    kind: str
    is_ended: bool
    item_count: int
    judged_count: int

    @property
    def left_count(self) -> int:
        """Items that the assessor still has to judge; 0 if the assignment has ended."""
        return 0 if self.is_ended else self.item_count - self.judged_count


class _Given(NamedTuple):
    pk: int
    topic: str
    assessor: int
    kind: str
    ended_at: datetime | None


def count_assignments(task: Task) -> dict[int, AssignmentCount]:
    """Return the counts of the task's assignments by primary key.

    If an assessor has one assignment of a topic, and the topic has one owner, read the stored counts of the
    assessor's judgments of the topic. Count other assignments item by item.
    """
    rows = Assignment.objects.filter(pool__task=task).order_by("pk")
    given = [_Given(*row) for row in rows.values_list("pk", "topic", "assessor", "kind", "ended_at")]
    stored = AssignedCount.objects.filter(assignment__pool__task=task).in_bulk()
    judged = _judged(task)
    entangled = _entangled(given)
    exact = {
        each.pk: (each.item_count, each.judged_count)
        for each in Assignment.objects.filter(pk__in=entangled).with_progress()
    }
    no_items = AssignedCount(item_count=0, mixed_count=0, slot_count=0, filled_count=0)
    found = {}
    for each in given:
        work, mixed = judged[each.topic, each.assessor]
        items = stored.get(each.pk, no_items)
        counts = (items.item_count, work + mixed)
        if each.kind == AssignmentKind.ITEMS:
            counts = (items.slot_count + items.mixed_count, items.filled_count + mixed)
        found[each.pk] = AssignmentCount(
            each.topic, each.assessor, each.kind, each.ended_at is not None, *exact.get(each.pk, counts)
        )
    return found


def _judged(task: Task) -> dict[tuple[str, int], tuple[int, int]]:
    """Return the number of judgments of pool items, and of mixed-in items, by topic and assessor."""
    tallies = Tally.objects.filter(task=task).exclude(purpose__in=NOT_SHOWN).order_by()
    rows = tallies.values_list("topic", "assessor").annotate(
        work=Sum("count", filter=Q(purpose=Purpose.WORK), default=0),
        mixed=Sum("count", filter=~Q(purpose=Purpose.WORK), default=0),
    )
    return defaultdict(
        lambda: (0, 0), {(topic, assessor): (work, mixed) for topic, assessor, work, mixed in rows}
    )


def _entangled(given: list[_Given]) -> list[int]:
    """Return the assignments whose settled items differ from the assessor's judgments of the topic."""
    alike = Counter((each.topic, each.assessor) for each in given)
    owners = defaultdict(set)
    for each in given:
        if each.kind == AssignmentKind.OWNER:
            owners[each.topic].add(each.assessor)
    return [
        each.pk
        for each in given
        if alike[each.topic, each.assessor] > 1
        or each.kind == AssignmentKind.ADJUDICATION
        or (each.kind == AssignmentKind.OWNER and len(owners[each.topic]) > 1)
    ]
