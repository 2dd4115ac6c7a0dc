"""Rows of the page on quality: accuracy of the crowd, and shares of grades."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from assessment.core.distribution import Part, make_distribution
from assessment.core.gold import Confidence, GoldAccuracy, gold_accuracy, mean_confidence
from assessment.models.assignment import Purpose
from assessment.models.question import ExtraQuestion
from evaluation.core.statistics.proportions import clopper_pearson
from evaluation.pools.models import PoolItem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assessment.models.judgment import Judgment
    from evaluation.core.statistics.estimate import Estimate, Interval
    from evaluation.tracks.models import Task

LEVEL = 0.95


@dataclass(frozen=True)
class ItemShare:
    """A share of the gold items, with the Clopper-Pearson interval: items are few and shares near 1."""

    name: str
    share: Estimate
    interval: Interval


@dataclass(frozen=True)
class Crowd:
    """Answers compared with known grades; ``confidences`` has an entry for each numeric question."""

    item_count: int
    answer_count: int
    accuracy: GoldAccuracy
    shares: list[ItemShare]
    confidences: list[tuple[ExtraQuestion, Confidence]]


def crowd_of(task: Task, judgments: Iterable[Judgment], gold: Mapping[tuple[str, str], int]) -> Crowd:
    """Measure the graded judgments of gold items, without repeated items."""
    given: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
    for each in judgments:
        if each.purpose != Purpose.REPEAT and (each.topic, each.docno) in gold:
            given[each.topic, each.docno].append(each)
    truths = [gold[pair] for pair in given]
    answers = [[each.grade for each in group] for group in given.values()]
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
    """Compute the mean confidence of the answers with a reply to the question."""
    replied = [[each for each in group if question.name in each.replies] for group in given]
    return mean_confidence(
        truths,
        [[each.grade for each in group] for group in replied],
        [[float(each.replies[question.name]) for each in group] for group in replied],
    )


@dataclass(frozen=True)
class GradeRow:
    """The judgments of one group; ``difference`` is its mean grade minus that of all. Null without grades."""

    kind: str
    name: str
    distribution: list[Part]
    mean: float | None
    difference: float | None


def grade_rows(
    task: Task, judgments: Sequence[Judgment], people: Mapping[int, str], scale: Sequence[int]
) -> list[GradeRow]:
    """Return rows of all judgments, then by pool, assessor and topic if there are several."""
    overall = _mean(judgments)
    rows = [_row("all", "All", judgments, overall, scale)]
    parts = {
        "pool": _by_pool(task, judgments),
        "assessor": _grouped((people[each.assessor_id], each) for each in judgments),
        "topic": _grouped((each.topic, each) for each in judgments),
    }
    for kind, named in parts.items():
        if len(named) > 1:
            rows += [_row(kind, name, group, overall, scale) for name, group in sorted(named.items())]
    return rows


def _by_pool(task: Task, judgments: Iterable[Judgment]) -> dict[str, list[Judgment]]:
    pools: dict[tuple[str, str], list[str]] = defaultdict(list)
    for topic, docno, name in PoolItem.objects.filter(pool__task=task).values_list(
        "topic", "docno", "pool__name"
    ):
        pools[topic, docno].append(name)
    return _grouped((name, each) for each in judgments for name in pools[each.topic, each.docno])


def _grouped(named: Iterable[tuple[str, Judgment]]) -> dict[str, list[Judgment]]:
    found: dict[str, list[Judgment]] = defaultdict(list)
    for name, judgment in named:
        found[name].append(judgment)
    return found


def _row(
    kind: str, name: str, judgments: Sequence[Judgment], overall: float | None, scale: Sequence[int]
) -> GradeRow:
    mean = _mean(judgments)
    difference = None if mean is None or overall is None or kind == "all" else mean - overall
    marks = [each.mark for each in judgments]
    return GradeRow(kind, name, make_distribution(marks, scale), mean, difference)


def _mean(judgments: Iterable[Judgment]) -> float | None:
    grades = [each.grade for each in judgments if each.grade is not None]
    return fmean(grades) if grades else None
