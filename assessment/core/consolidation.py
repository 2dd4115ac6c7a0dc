"""Several answers for one item become one, or go to adjudication."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from enum import StrEnum
from typing import TypeVar

from evaluation.core.estimate import Estimate, Reason

Answer = TypeVar("Answer", bound=Hashable)


class Rule(StrEnum):
    """How the grades of several assessors become the one grade of an item; `words` go into provenance."""

    OWNER = "owner"
    MAJORITY = "majority"
    MEAN = "mean"
    MAX = "max"

    @property
    def words(self) -> str:
        """The rule as a page and the provenance state it."""
        return _WORDS[self]


_WORDS = {
    Rule.OWNER: "owner: the current judgment of the topic's first assessor",
    Rule.MAJORITY: "majority: what more than half gave, else none; an adjudicated grade goes first",
    Rule.MEAN: "mean: the nearest grade of the scale, of two the higher; an adjudicated grade goes first",
    Rule.MAX: "max: the highest of all grades; an adjudicated grade goes first",
}


def consolidate(grades: Sequence[int], rule: Rule, scale: Collection[int]) -> int | None:
    """One grade of the scale from those of an item, the owner's first; None without any, or a majority."""
    if not grades:
        return None
    match rule:
        case Rule.OWNER:
            return grades[0]
        case Rule.MAJORITY:
            return majority(grades)
        case Rule.MAX:
            return max(grades)
        case Rule.MEAN:
            return nearest_to_mean(grades, scale)


def nearest_to_mean(grades: Sequence[int], scale: Collection[int]) -> int:
    """The grade of the scale that is nearest to the mean, the higher of two as near.

    In whole numbers all the way, so 0.5 is never lost. Raises ValueError without a scale.
    """
    return min(scale, key=lambda grade: (abs(grade * len(grades) - sum(grades)), -grade))


def majority(answers: Sequence[Answer]) -> Answer | None:
    """The answer that more than half gave; None where none did, so that the item needs adjudication."""
    if not answers:
        return None
    answer, count = Counter(answers).most_common(1)[0]
    return answer if 2 * count > len(answers) else None


def is_unanimous(answers: Sequence[Hashable]) -> bool:
    """Whether all who answered agree; an item without answers is not."""
    return len(set(answers)) == 1


def full_agreement(items: Sequence[Sequence[Hashable]]) -> Estimate:
    """Share of items on which all agree; undefined without items."""
    if not items:
        return Estimate.undefined(Reason.EMPTY)
    return Estimate.of(sum(map(is_unanimous, items)) / len(items))
