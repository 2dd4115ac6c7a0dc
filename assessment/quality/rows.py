"""Rows of the page on quality: grades in each part, judgments that do not count, and answers to gold."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet, Sum

from assessment.core import distribution
from assessment.core.consolidation import (
    AnswerStratum,
    Confidence,
    GoldAccuracy,
    accuracy_by,
    gold_accuracy,
    mean_confidence,
)
from assessment.core.distribution import GradeSegment, lay_out_counts
from assessment.models.aggregates import CurrentJudgment, JudgedItem, Tally
from assessment.models.gold import GoldItem, GoldUse
from assessment.models.plan import ExtraQuestion
from assessment.models.purposes import NOT_SHOWN, Purpose
from evaluation.platform.access.people import User
from evaluation.tracks.models import Task
from trackside.statistics.estimate import Estimate, Interval
from trackside.statistics.proportions import clopper_pearson

Counts = Counter[int | None]  # judgments by grade; null: no grade

POOLED = """
    SELECT pool_id, item.grades, sum(item.refusal_count + item.nominal_count), count(*)
    FROM evaluation_poolitem AS pooled JOIN assessment_judgeditem AS item USING (topic, docno)
    WHERE pooled.pool_id = ANY(%s) AND item.task_id = %s GROUP BY pool_id, item.grades
"""


class JudgmentGroup(NamedTuple):
    """The judgments of a pool or an assessor (by primary key), or of a topic (by number)."""

    kind: str
    key: int | str
    name: str


@dataclass(frozen=True)
class GradeRow:
    """The judgments of one group; ``difference`` is its mean minus that of all. Null without grades."""

    kind: str
    name: str
    distribution: list[distribution.GradeSegment]
    mean: float | None
    difference: float | None


def find_parts(task: Task, people: Mapping[int, str]) -> list[JudgmentGroup]:
    """Return the group of all judgments, then groups by pool, assessor and topic if there are several."""
    judged = _of_work(task)
    assessors = set(judged.values_list("assessor", flat=True).distinct())
    kinds = (
        [
            JudgmentGroup("pool", key, name)
            for key, name in task.pools.for_qrels().order_by("name").values_list("pk", "name")
        ],
        [JudgmentGroup("assessor", key, name) for key, name in people.items() if key in assessors],
        [JudgmentGroup("topic", name, name) for name in judged.values_list("topic", flat=True).distinct()],
    )
    parts = [sorted(kind, key=lambda part: part.name) for kind in kinds if len(kind) > 1]
    return [JudgmentGroup("all", "", "All"), *(part for kind in parts for part in kind)]


def measure_parts(task: Task, scale: Sequence[int], parts: Sequence[JudgmentGroup]) -> list[GradeRow]:
    """Count the judgments of pool items in the chosen parts, in the given order."""
    counts: dict[tuple[str, int | str], Counts] = defaultdict(Counter)
    keys = {kind: [part.key for part in parts if part.kind == kind] for kind in ("pool", "assessor", "topic")}
    for kind in ("assessor", "topic"):
        rows = _of_work(task).filter(**{f"{kind}__in": keys[kind]}).values_list(kind, "grade")
        for key, grade, count in rows.annotate(total=Sum("count")):
            counts[kind, key][grade] = count
    for grade, count in _of_work(task).values_list("grade").annotate(total=Sum("count")):
        counts["all", ""][grade] = count
    counts |= _by_pool(task, keys["pool"])
    overall = _mean(counts["all", ""])
    return [_row(part, counts[part.kind, part.key], overall, scale) for part in parts]


def _of_work(task: Task) -> QuerySet[Tally]:
    return Tally.objects.filter(task=task, purpose=Purpose.WORK, count__gt=0).order_by()


def _by_pool(task: Task, pools: Sequence[int | str]) -> dict[tuple[str, int | str], Counts]:
    counts: dict[tuple[str, int | str], Counts] = defaultdict(Counter)
    if pools:
        with connection.cursor() as cursor:
            cursor.execute(POOLED, [list(pools), task.pk])
            for pool, grades, refused, count in cursor.fetchall():
                counts["pool", pool][None] += refused
                for grade in grades:
                    counts["pool", pool][grade] += count
    return counts


def _row(part: JudgmentGroup, counts: Counts, overall: float | None, scale: Sequence[int]) -> GradeRow:
    mean = _mean(counts)
    difference = None if mean is None or overall is None or part.kind == "all" else mean - overall
    return GradeRow(part.kind, part.name, lay_out_counts(counts, scale), mean, difference)


def _mean(counts: Counts) -> float | None:
    grades = {grade: count for grade, count in counts.items() if grade is not None}
    total = sum(grades.values())
    return sum(grade * count for grade, count in grades.items()) / total if total else None


@dataclass(frozen=True)
class ExtraRow:
    """The extra judgments of an assessor on a topic: shown before the item or the topic went to others."""

    name: str
    topic: str
    count: int
    distribution: list[GradeSegment]


def find_extras(task: Task, scale: Sequence[int]) -> list[ExtraRow]:
    """Return the current extra judgments by assessor and topic."""
    tallies = Tally.objects.filter(task=task, purpose=Purpose.EXTRA, count__gt=0).order_by(
        "topic", "assessor"
    )
    counts: dict[tuple[str, int], Counter[int | None]] = defaultdict(Counter)
    for topic, assessor, grade, count in tallies.values_list("topic", "assessor", "grade").annotate(
        total=Sum("count")
    ):
        counts[topic, assessor][grade] += count
    people = User.objects.in_bulk({assessor for _, assessor in counts})
    return [
        ExtraRow(
            f"{people[assessor]} ({people[assessor].email})",
            topic,
            grades.total(),
            lay_out_counts(grades, scale),
        )
        for (topic, assessor), grades in counts.items()
    ]


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
    """Answers compared with known grades; ``confidences`` has an entry for each numeric question.

    ``classes`` are the answers by known grade, ``levels`` those by each reply to a numeric question.
    """

    item_count: int
    answer_count: int
    accuracy: GoldAccuracy
    shares: list[ItemShare]
    confidences: list[tuple[ExtraQuestion, Confidence]]
    classes: list[AnswerStratum]
    levels: list[tuple[ExtraQuestion, list[AnswerStratum]]]


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
    flat = [(answer, gold[pair]) for pair, group in groups.items() for answer in group]
    questions = [asked for asked in ExtraQuestion.objects.filter(task=task) if asked.is_numeric]
    return Crowd(
        len(groups),
        sum(map(len, grades)),
        accuracy,
        _shares(accuracy, len(groups)),
        [(question, _confidence(question, truths, list(groups.values()))) for question in questions],
        _by_key([(grade, answer, grade) for answer, grade in flat]),
        [(question, _by_key(_replied(question, flat))) for question in questions],
    )


def _replied(
    question: ExtraQuestion, answers: Iterable[tuple[GoldAnswer, int]]
) -> list[tuple[float, GoldAnswer, int]]:
    """Return the answers with a reply to the question: the reply, the answer, its known grade."""
    name = question.name
    return [
        (float(answer.replies[name]), answer, grade) for answer, grade in answers if name in answer.replies
    ]


def _by_key(rows: Sequence[tuple[float, GoldAnswer, int]]) -> list[AnswerStratum]:
    """Return the accuracy by key of answers with a key and the known grade."""
    return accuracy_by(
        [key for key, _, _ in rows],
        [grade for _, _, grade in rows],
        [answer.grade for _, answer, _ in rows],
        [answer.topic for _, answer, _ in rows],
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
