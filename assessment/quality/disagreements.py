"""Items with different grades, items that nobody could judge, and flagged items."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from assessment.models.assignment import Purpose
from assessment.models.judgment import CannotJudge, Judgment
from assessment.models.remark import Remark, apply_remarks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.tracks.models import Task

Event = TypeVar("Event", Judgment, Remark)


@dataclass(frozen=True)
class Disagreement:
    """An item with its judgments in order of time, the adjudicated one, and remarks without a judgment."""

    topic: str
    docno: str
    judgments: tuple[Judgment, ...]
    is_flagged: bool
    adjudicated: Judgment | None
    remarks: tuple[Remark, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether nobody could judge it."""
        return bool(self.judgments) and all(each.grade is None for each in self.judgments)

    @property
    def is_unseen(self) -> bool:
        """Whether its image does not show, as an assessor says."""
        return any(each.reason == CannotJudge.IMAGE for each in self.judgments)

    @property
    def distance(self) -> int:
        """The difference between the highest and the lowest grade; 0 without grades."""
        grades = [each.grade for each in self.judgments if each.grade is not None]
        return max(grades, default=0) - min(grades, default=0)


def find_disagreements(*, task: Task) -> list[Disagreement]:
    """Return items with different grades, a flag, an image that does not show, or judgments but no grade.

    Sorted: open items first, then flagged ones, then those without a grade, then by falling distance. A flag
    on a repeated item counts for the item.
    """
    current = Judgment.objects.filter(task=task).current().select_related("assessor")
    judgments = sorted(current, key=lambda each: each.pk)
    unjudged = apply_remarks(judgments, Remark.objects.filter(task=task).current().select_related("assessor"))
    given = _by_pair(each for each in judgments if each.purpose == Purpose.WORK)
    remarks = _by_pair(unjudged)
    settled = [each for each in judgments if each.purpose == Purpose.ADJUDICATION and each.grade is not None]
    adjudicated = {(each.topic, each.docno): each for each in settled}
    events: list[Judgment | Remark] = [*judgments, *unjudged]
    flagged = {(each.topic, each.docno) for each in events if each.is_flagged}
    alone = {(each.topic, each.docno) for each in unjudged if each.is_flagged}
    everything = [
        Disagreement(*pair, tuple(given[pair]), pair in flagged, adjudicated.get(pair), tuple(remarks[pair]))
        for pair in given.keys() | alone
    ]
    return sorted(
        (
            each
            for each in everything
            if each.distance or each.is_flagged or each.is_refused or each.is_unseen
        ),
        key=lambda each: (
            each.adjudicated is not None,
            not each.is_flagged,
            not each.is_refused,
            -each.distance,
            each.topic,
            each.docno,
        ),
    )


def _by_pair(events: Iterable[Event]) -> defaultdict[tuple[str, str], list[Event]]:
    found: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)
    for each in events:
        found[each.topic, each.docno].append(each)
    return found
