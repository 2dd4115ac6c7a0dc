"""Count the items and settled items of every assignment of a task with set operations."""

from collections import Counter, defaultdict
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from assessment.models.aggregates import Tally
from assessment.models.assignment import Assignment
from assessment.models.purposes import APART, NOT_SHOWN, AssignmentKind, Purpose
from evaluation.tracks.models import Task


class AssignmentCount(NamedTuple):
    """An assignment with the counts of ``AssignmentQuerySet.with_progress``.

    ``filled_count`` counts its slots with a judgment, in a pool that is judged item by item.
    """

    topic: str
    assessor: int
    kind: str
    is_ended: bool
    pool: int
    filled_count: int
    item_count: int
    judged_count: int

    @property
    def left_count(self) -> int:
        """Items that the assessor still has to judge; 0 if the assignment has ended."""
        return 0 if self.is_ended else self.item_count - self.judged_count


class _Row(NamedTuple):
    pk: int
    pool: int
    topic: str
    assessor: int
    kind: str
    ended_at: datetime | None
    item_count: int  # this and the following of AssignedCount
    mixed_count: int
    slot_count: int
    filled_count: int


COUNTS = ("item_count", "mixed_count", "slot_count", "filled_count")


def count_assignments(task: Task) -> dict[int, AssignmentCount]:
    """Return the counts of the task's assignments by primary key.

    If an assessor has one assignment of a topic, and the topic has one owner, read the stored counts of the
    assessor's judgments of the topic. Count other assignments item by item.
    """
    columns = [column for column in _Row._fields if column not in COUNTS]
    counts = [Coalesce(f"assigned_count__{name}", 0) for name in COUNTS]
    assignments = Assignment.objects.filter(pool__task=task).order_by("pk")
    rows = [_Row(*row) for row in assignments.values_list(*columns, *counts)]
    judged_counts = _judged(task)
    exact_counts = {}
    if entangled := _entangled(rows):
        exact_counts = {
            assignment.pk: (assignment.item_count, assignment.judged_count)
            for assignment in Assignment.objects.filter(pk__in=entangled).with_progress()
        }
    counts_by_key = {}
    for row in rows:
        work, mixed = judged_counts[row.topic, row.assessor]
        item_counts = (row.item_count, work + mixed)
        if row.kind == AssignmentKind.ITEMS:
            item_counts = (row.slot_count + row.mixed_count, row.filled_count + mixed)
        item_counts = exact_counts.get(row.pk, item_counts)
        is_ended = row.ended_at is not None
        counts_by_key[row.pk] = AssignmentCount(
            row.topic, row.assessor, row.kind, is_ended, row.pool, row.filled_count, *item_counts
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
