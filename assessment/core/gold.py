"""Accuracy of several assessors on items with a known answer (NewsCLIPpings, section 5)."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from assessment.core.consolidation import majority
from trackside.statistics.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class GoldAccuracy:
    """Accuracy of assessors on gold items.

    `average` counts answers; the others count items as right if anyone is right (`optimistic`), more than
    half are (`by_majority`) or all are (`pessimistic`).
    """

    average: Estimate
    optimistic: Estimate
    by_majority: Estimate
    pessimistic: Estimate


def gold_accuracy(gold: Sequence[Hashable], answers: Sequence[Sequence[Hashable]]) -> GoldAccuracy:
    """Compare the answers to each item with its gold answer; undefined without items or answers."""
    items = [(truth, given) for truth, given in zip(gold, answers, strict=True) if given]
    if not items:
        nothing = Estimate.undefined(Reason.EMPTY)
        return GoldAccuracy(nothing, nothing, nothing, nothing)
    right = [[answer == truth for answer in given] for truth, given in items]

    def share(is_right: Callable[[list[bool]], bool]) -> Estimate:
        return Estimate.of(sum(map(is_right, right)) / len(right))

    return GoldAccuracy(
        Estimate.of(sum(map(sum, right)) / sum(map(len, right))),
        share(any),
        Estimate.of(sum(majority(given) == truth for truth, given in items) / len(items)),
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
    stated = [
        (answer == truth, sure)
        for truth, given, levels in zip(gold, answers, confidence, strict=True)
        for answer, sure in zip(given, levels, strict=True)
    ]
    return Confidence(
        _mean([sure for _, sure in stated]),
        _mean([sure for is_right, sure in stated if is_right]),
        _mean([sure for is_right, sure in stated if not is_right]),
    )


def _mean(values: list[float]) -> Estimate:
    return Estimate.of(sum(values) / len(values)) if values else Estimate.undefined(Reason.EMPTY)
