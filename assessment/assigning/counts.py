"""Count the items and settled items of every assignment of a task with set operations."""

from collections import Counter, defaultdict
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, Sum

from assessment.models.aggregates import Tally
from assessment.models.assignment import Assignment
from assessment.models.purposes import APART, NOT_SHOWN, AssignmentKind, Purpose
from assessment.models.slot import AssignedCount
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


class _Row(NamedTuple):
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
    assignments = Assignment.objects.filter(pool__task=task).order_by("pk")
    rows = [_Row(*row) for row in assignments.values_list("pk", "topic", "assessor", "kind", "ended_at")]
    item_counts = AssignedCount.objects.filter(assignment__pool__task=task).in_bulk()
    judged_counts = _judged(task)
    entangled = _entangled(rows)
    exact_counts = {
        assignment.pk: (assignment.item_count, assignment.judged_count)
        for assignment in Assignment.objects.filter(pk__in=entangled).with_progress()
    }
    no_items = AssignedCount(item_count=0, mixed_count=0, slot_count=0, filled_count=0)
    counts_by_key = {}
    for row in rows:
        work, mixed = judged_counts[row.topic, row.assessor]
        items = item_counts.get(row.pk, no_items)
        counts = (items.item_count, work + mixed)
        if row.kind == AssignmentKind.ITEMS:
            counts = (items.slot_count + items.mixed_count, items.filled_count + mixed)
        counts_by_key[row.pk] = AssignmentCount(
            row.topic, row.assessor, row.kind, row.ended_at is not None, *exact_counts.get(row.pk, counts)
        )
    return counts_by_key


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


def _entangled(rows: list[_Row]) -> list[int]:
    """Return the assignments whose settled items differ from the assessor's judgments of the topic."""
    assignment_counts = Counter((row.topic, row.assessor) for row in rows)
    owners = defaultdict(set)
    for row in rows:
        if row.kind == AssignmentKind.OWNER:
            owners[row.topic].add(row.assessor)
    return [
        row.pk
        for row in rows
        if assignment_counts[row.topic, row.assessor] > 1
        or row.kind in APART
        or (row.kind == AssignmentKind.OWNER and len(owners[row.topic]) > 1)
    ]
