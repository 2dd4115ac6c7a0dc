"""Answers of all assessors compared with known grades."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef

from assessment.core.consolidation import Confidence, GoldAccuracy, gold_accuracy, mean_confidence
from assessment.models.aggregates import CurrentJudgment, JudgedItem
from assessment.models.gold import GoldItem, GoldUse
from assessment.models.plan import ExtraQuestion
from assessment.models.purposes import NOT_SHOWN, Purpose
from evaluation.tracks.models import Task
from trackside.statistics.estimate import Estimate, Interval
from trackside.statistics.proportions import clopper_pearson

LEVEL = 0.95


class GoldAnswer(NamedTuple):
    """An assessor's current grade of a gold item, with the replies to extra questions."""

    assessor: int
    topic: str
    docno: str
    grade: int
    replies: dict[str, Any]


@dataclass(frozen=True)
class ItemShare:
    """A share of the gold items. The interval is exact (Clopper-Pearson): items are few and shares near 1."""

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


def find_gold(task: Task) -> dict[tuple[str, str], int]:
    """Return the known grades, without practice items: assessors have seen their right grade."""
    unseen = GoldItem.objects.filter(task=task).exclude(use=GoldUse.PRACTICE)
    return {(topic, docno): grade for topic, docno, grade in unseen.values_list("topic", "docno", "grade")}


def gold_answers(task: Task, scale: Sequence[int]) -> list[GoldAnswer]:
    """Return the graded judgments of gold items, without repeated items."""
    gold = GoldItem.objects.filter(task=task, topic=OuterRef("topic"), docno=OuterRef("docno"))
    items = JudgedItem.objects.filter(Exists(gold.exclude(use=GoldUse.PRACTICE)), task=task)
    judgments = CurrentJudgment.objects.filter(task=task, item__in=items, grade__in=scale)
    judgments = judgments.exclude(purpose__in=[Purpose.REPEAT, *NOT_SHOWN]).order_by("purpose", "judgment")
    columns = ("assessor", "item__topic", "item__docno", "grade", "judgment__replies")
    return [GoldAnswer(*row) for row in judgments.values_list(*columns)]


def crowd_of(task: Task, answers: Iterable[GoldAnswer], gold: Mapping[tuple[str, str], int]) -> Crowd:
    """Measure the answers to gold items."""
    groups: dict[tuple[str, str], list[GoldAnswer]] = defaultdict(list)
    for answer in answers:
        groups[answer.topic, answer.docno].append(answer)
    truths = [gold[pair] for pair in groups]
    grades = [[answer.grade for answer in group] for group in groups.values()]
    accuracy = gold_accuracy(truths, grades)
    return Crowd(
        len(groups),
        sum(map(len, grades)),
        accuracy,
        _shares(accuracy, len(groups)),
        [
            (question, _confidence(question, truths, list(groups.values())))
            for question in ExtraQuestion.objects.filter(task=task)
            if question.is_numeric
        ],
    )


def _shares(accuracy: GoldAccuracy, count: int) -> list[ItemShare]:
    shares = {
        "Somebody is right (optimistic)": accuracy.optimistic,
        "More than half are right": accuracy.by_majority,
        "Everybody is right": accuracy.pessimistic,
    }
    return [
        ItemShare(name, share, clopper_pearson(round((share.value or 0) * count), count, level=LEVEL))
        for name, share in shares.items()
    ]


def _confidence(
    question: ExtraQuestion, truths: Sequence[int], groups: Sequence[Sequence[GoldAnswer]]
) -> Confidence:
    """Compute the mean confidence of the answers with a reply to the question."""
    replied = [[answer for answer in group if question.name in answer.replies] for group in groups]
    return mean_confidence(
        truths,
        [[answer.grade for answer in group] for group in replied],
        [[float(answer.replies[question.name]) for answer in group] for group in replied],
    )
