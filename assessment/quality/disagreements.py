"""Items with different grades, items that nobody could judge, and flagged items."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assessment.models.assignment import Purpose
from assessment.models.judgment import Judgment

if TYPE_CHECKING:
    from evaluation.tracks.models import Task


@dataclass(frozen=True)
class Disagreement:
    """An item with its judgments in order of time, and the adjudicated one."""

    topic: str
    docno: str
    judgments: tuple[Judgment, ...]
    is_flagged: bool
    adjudicated: Judgment | None

    @property
    def is_refused(self) -> bool:
        """Whether nobody could judge it."""
        return all(each.grade is None for each in self.judgments)

    @property
    def distance(self) -> int:
        """The difference between the highest and the lowest grade; 0 without grades."""
        grades = [each.grade for each in self.judgments if each.grade is not None]
        return max(grades, default=0) - min(grades, default=0)


def find_disagreements(*, task: Task) -> list[Disagreement]:
    """Return the task's items with different grades, with a flag, or with judgments but no grade.

    Sorted: open items first, then flagged ones, then those without a grade, then by falling distance. A flag
    on a repeated item counts for the item.
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
