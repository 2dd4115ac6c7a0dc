"""What all assessors together gave for the items with a known grade."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assessment.core.gold import Confidence, GoldAccuracy, gold_accuracy, mean_confidence
from assessment.models import ExtraQuestion, Purpose
from evaluation.core.proportions import clopper_pearson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assessment.models import Judgment
    from evaluation.core.estimate import Estimate, Interval
    from evaluation.models import Task

LEVEL = 0.95


@dataclass(frozen=True)
class ItemShare:
    """A share of the gold items, with Clopper and Pearson's interval: items are few and shares near 1."""

    name: str
    share: Estimate
    interval: Interval


@dataclass(frozen=True)
class Crowd:
    """Answers against known grades; ``confidences`` are of each question that is answered by numbers."""

    item_count: int
    answer_count: int
    accuracy: GoldAccuracy
    shares: list[ItemShare]
    confidences: list[tuple[ExtraQuestion, Confidence]]


def crowd_of(task: Task, judgments: Iterable[Judgment], gold: Mapping[tuple[str, str], int]) -> Crowd:
    """Measure the graded judgments of gold items; a second showing is no further answer."""
    given: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
    for each in judgments:
        if each.purpose != Purpose.REPEAT and (each.topic, each.docno) in gold:
            given[each.topic, each.docno].append(each)
    truths = [gold[pair] for pair in given]
    answers = [[each.grade for each in theirs] for theirs in given.values()]
    accuracy = gold_accuracy(truths, answers)
    return Crowd(
        len(given),
        sum(map(len, answers)),
        accuracy,
        _shares(accuracy, len(given)),
        [
            (question, _confidence(question, truths, list(given.values())))
            for question in ExtraQuestion.objects.filter(task=task)
            if question.is_numeric
        ],
    )


def _shares(accuracy: GoldAccuracy, count: int) -> list[ItemShare]:
    named = {
        "Somebody is right (optimistic)": accuracy.optimistic,
        "More than half are right": accuracy.by_majority,
        "Everybody is right": accuracy.pessimistic,
    }
    return [
        ItemShare(name, share, clopper_pearson(round((share.value or 0) * count), count, level=LEVEL))
        for name, share in named.items()
    ]


def _confidence(
    question: ExtraQuestion, truths: Sequence[int], given: Sequence[Sequence[Judgment]]
) -> Confidence:
    """Of the answers that came with a reply to the question."""
    replied = [[each for each in theirs if question.name in each.replies] for theirs in given]
    return mean_confidence(
        truths,
        [[each.grade for each in theirs] for theirs in replied],
        [[float(each.replies[question.name]) for each in theirs] for theirs in replied],
    )
