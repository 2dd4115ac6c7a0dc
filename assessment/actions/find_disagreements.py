"""Items that people grade differently."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assessment.models import Judgment, Purpose

if TYPE_CHECKING:
    from evaluation.models import Task


@dataclass(frozen=True)
class Disagreement:
    """An item with its unequal grades, in the order in which they were given, and the adjudicated one."""

    topic: str
    docno: str
    judgments: tuple[Judgment, ...]
    adjudicated: Judgment | None

    @property
    def distance(self) -> int:
        """From the lowest grade to the highest."""
        grades = [each.grade for each in self.judgments if each.grade is not None]
        return max(grades) - min(grades)


def find_disagreements(*, task: Task) -> list[Disagreement]:
    """The task's items with at least two unequal grades: open ones first, then the widest apart."""
    graded = Judgment.objects.filter(task=task).current().select_related("assessor")
    given: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
    adjudicated: dict[tuple[str, str], Judgment] = {}
    for each in sorted((each for each in graded if each.grade is not None), key=lambda each: each.pk):
        pair = (each.topic, each.docno)
        if each.purpose == Purpose.WORK:
            given[pair].append(each)
        elif each.purpose == Purpose.ADJUDICATION:
            adjudicated[pair] = each
    found = [
        Disagreement(*pair, tuple(judgments), adjudicated.get(pair))
        for pair, judgments in given.items()
        if len({each.grade for each in judgments}) > 1
    ]
    return sorted(
        found, key=lambda each: (each.adjudicated is not None, -each.distance, each.topic, each.docno)
    )
