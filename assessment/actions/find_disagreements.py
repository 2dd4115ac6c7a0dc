"""Items that people grade differently, that nobody could judge, or that somebody flagged."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assessment.models import Judgment, Purpose

if TYPE_CHECKING:
    from evaluation.models import Task


@dataclass(frozen=True)
class Disagreement:
    """An item with the judgments of it, in the order in which they were given, and the adjudicated one."""

    topic: str
    docno: str
    judgments: tuple[Judgment, ...]
    is_flagged: bool
    adjudicated: Judgment | None

    @property
    def is_refused(self) -> bool:
        """Whether all who came to it could not judge it."""
        return all(each.grade is None for each in self.judgments)

    @property
    def distance(self) -> int:
        """From the lowest grade to the highest; 0 where nobody gave one."""
        grades = [each.grade for each in self.judgments if each.grade is not None]
        return max(grades, default=0) - min(grades, default=0)


def find_disagreements(*, task: Task) -> list[Disagreement]:
    """The task's items with unequal grades, a flag, or no grade from those who came to them.

    Open ones first, of these the flagged, then those without a grade, then the widest apart.
    A flag on an item's second showing is one on the item.
    """
    given: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
    adjudicated: dict[tuple[str, str], Judgment] = {}
    flagged: set[tuple[str, str]] = set()
    judgments = Judgment.objects.filter(task=task).current().select_related("assessor")
    for each in sorted(judgments, key=lambda each: each.pk):
        pair = (each.topic, each.docno)
        if each.purpose == Purpose.WORK:
            given[pair].append(each)
        elif each.purpose == Purpose.ADJUDICATION and each.grade is not None:
            adjudicated[pair] = each
        if each.is_flagged:
            flagged.add(pair)
    everything = [
        Disagreement(*pair, tuple(judgments), pair in flagged, adjudicated.get(pair))
        for pair, judgments in given.items()
    ]
    return sorted(
        (each for each in everything if each.distance or each.is_flagged or each.is_refused),
        key=lambda each: (
            each.adjudicated is not None,
            not each.is_flagged,
            not each.is_refused,
            -each.distance,
            each.topic,
            each.docno,
        ),
    )
