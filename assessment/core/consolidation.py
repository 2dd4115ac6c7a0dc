"""Several answers for one item become one, or go to adjudication."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeVar

from evaluation.core.estimate import Estimate, Reason

Answer = TypeVar("Answer", bound=Hashable)


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
