"""Consolidate several answers for one item into one, or find that it needs adjudication."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from enum import StrEnum
from typing import TypeVar

from trackside.statistics.estimate import Estimate, Reason

Answer = TypeVar("Answer", bound=Hashable)


class ConsolidationRule(StrEnum):
    """The rule that makes one grade of several assessors' grades; `words` go into provenance."""

    OWNER = "owner"
    MAJORITY = "majority"
    MEAN = "mean"
    MAX = "max"

    @property
    def words(self) -> str:
        """The description of the rule for pages and provenance."""
        return _WORDS[self]


_WORDS = {
    ConsolidationRule.OWNER: "owner: the current judgment of the topic's first assessor",
    ConsolidationRule.MAJORITY: (
        "majority: what more than half gave, else none; an adjudicated grade goes first"
    ),
    ConsolidationRule.MEAN: (
        "mean: the nearest grade of the scale, of two the higher; an adjudicated grade goes first"
    ),
    ConsolidationRule.MAX: "max: the highest of all grades; an adjudicated grade goes first",
}


def consolidate(grades: Sequence[int], rule: ConsolidationRule, scale: Collection[int]) -> int | None:
    """Return one grade of the scale from an item's grades, the owner's first; None if the rule gives none."""
    if not grades:
        return None
    match rule:
        case ConsolidationRule.OWNER:
            return grades[0]
        case ConsolidationRule.MAJORITY:
            return majority(grades)
        case ConsolidationRule.MAX:
            return max(grades)
        case ConsolidationRule.MEAN:
            return nearest_to_mean(grades, scale)


def nearest_to_mean(grades: Sequence[int], scale: Collection[int]) -> int:
    """Return the grade of the scale nearest to the mean; on a tie the higher one.

    Uses integers only, so a tie is exact. Raises ValueError if the scale is empty.
    """
    return min(scale, key=lambda grade: (abs(grade * len(grades) - sum(grades)), -grade))


def majority(answers: Sequence[Answer]) -> Answer | None:
    """Return the answer of more than half; None if there is none and the item needs adjudication."""
    if not answers:
        return None
    answer, count = Counter(answers).most_common(1)[0]
    return answer if 2 * count > len(answers) else None


def is_unanimous(answers: Sequence[Hashable]) -> bool:
    """Return whether all answers are equal; False without answers."""
    return len(set(answers)) == 1


def full_agreement(items: Sequence[Sequence[Hashable]], times: Sequence[int] | None = None) -> Estimate:
    """Return the share of items on which all agree; undefined without items.

    ``times`` counts the items of each entry, if an entry stands for several items with the same answers.
    """
    if not items:
        return Estimate.undefined(Reason.EMPTY)
    often = [1] * len(items) if times is None else times
    agreed = sum(count for item, count in zip(items, often, strict=True) if is_unanimous(item))
    return Estimate.of(agreed / sum(often))
