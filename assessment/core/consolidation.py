"""Consolidate several answers for one item into one; compare answers with known ones."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

from trackside.findings.strata import stratum_finding
from trackside.statistics.estimate import Estimate, Number, Reason

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


def is_nominal(answers: Sequence[int | None], rule: ConsolidationRule) -> bool:
    """Return whether the rule gives the answer beside the grades, None, of an item's answers, owner's first.

    By the owner's rule it is the owner's, by majority that of more than half, else that of all.
    """
    match rule:
        case ConsolidationRule.OWNER:
            return answers[:1] == [None]
        case ConsolidationRule.MAJORITY:
            return 2 * answers.count(None) > len(answers)
        case _:
            return bool(answers) and answers.count(None) == len(answers)


def consolidate(answers: Sequence[int | None], rule: ConsolidationRule, scale: Collection[int]) -> int | None:
    """Return one grade of the scale from an item's answers, the owner's first; None if the rule gives none.

    An answer beside the grades is None: it counts in majorities, and is left out of means and maxima.
    """
    grades = [answer for answer in answers if answer is not None]
    if not grades:
        return None
    match rule:
        case ConsolidationRule.OWNER:
            return answers[0]
        case ConsolidationRule.MAJORITY:
            return majority(answers)
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
    counts = [1] * len(items) if times is None else times
    agreed_count = sum(count for item, count in zip(items, counts, strict=True) if is_unanimous(item))
    return Estimate.of(agreed_count / sum(counts))


@dataclass(frozen=True, slots=True)
class GoldAccuracy:
    """Accuracy of assessors on gold items (NewsCLIPpings, section 5).

    `average` counts answers; the others count items as right if anyone is right (`optimistic`), more than
    half are (`by_majority`) or all are (`pessimistic`).
    """

    average: Estimate
    optimistic: Estimate
    by_majority: Estimate
    pessimistic: Estimate


def gold_accuracy(gold: Sequence[Hashable], answers: Sequence[Sequence[Hashable]]) -> GoldAccuracy:
    """Compare the answers to each item with its gold answer; undefined without items or answers."""
    items = [(truth, votes) for truth, votes in zip(gold, answers, strict=True) if votes]
    if not items:
        undefined = Estimate.undefined(Reason.EMPTY)
        return GoldAccuracy(undefined, undefined, undefined, undefined)
    matches = [[answer == truth for answer in votes] for truth, votes in items]

    def share(is_right: Callable[[list[bool]], bool]) -> Estimate:
        return Estimate.of(sum(map(is_right, matches)) / len(matches))

    return GoldAccuracy(
        Estimate.of(sum(map(sum, matches)) / sum(map(len, matches))),
        share(any),
        Estimate.of(sum(majority(votes) == truth for truth, votes in items) / len(items)),
        share(all),
    )


@dataclass(frozen=True, slots=True)
class Confidence:
    """Mean stated confidence: over all answers, over right ones and over wrong ones."""

    overall: Estimate
    when_right: Estimate
    when_wrong: Estimate


def mean_confidence(
    gold: Sequence[Hashable], answers: Sequence[Sequence[Hashable]], confidence: Sequence[Sequence[float]]
) -> Confidence:
    """Return the mean confidence of all, right and wrong answers; undefined without such answers."""
    pairs = [
        (answer == truth, level)
        for truth, votes, levels in zip(gold, answers, confidence, strict=True)
        for answer, level in zip(votes, levels, strict=True)
    ]
    return Confidence(
        _mean([level for _, level in pairs]),
        _mean([level for is_right, level in pairs if is_right]),
        _mean([level for is_right, level in pairs if not is_right]),
    )


@dataclass(frozen=True, slots=True)
class AnswerStratum:
    """The answers with one key, such as a known grade or a stated confidence, and the share of right ones."""

    key: float
    count: int
    accuracy: Number


def accuracy_by(
    keys: Sequence[float], gold: Sequence[int], answers: Sequence[int], topics: Sequence[str]
) -> list[AnswerStratum]:
    """Return the accuracy of the answers of each key, by key, with its interval over topics.

    All have one entry an answer; those to one item are of one topic, so the interval does not take them for
    independent.
    """
    truths, given = np.array(gold, np.int64), np.array(answers, np.int64)
    places = np.unique(topics, return_inverse=True)[1]
    scale = tuple(sorted({*gold, *answers}))
    strata = []
    for key in sorted(set(keys)):
        rows = np.flatnonzero(np.array(keys) == key)
        sides = truths[rows], given[rows], given[rows].astype(np.float64)
        found = stratum_finding(*sides, places[rows], scale=scale, level=scale[-1])
        strata.append(AnswerStratum(key, found.pair_count, found.same_grade))
    return strata


def _mean(values: list[float]) -> Estimate:
    return Estimate.of(sum(values) / len(values)) if values else Estimate.undefined(Reason.EMPTY)
