"""Rows of the page on quality: counts of grades in each part, and judgments that do not count."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import QuerySet, Sum

from assessment.core import distribution
from assessment.core.distribution import GradeSegment, lay_out_counts
from assessment.models.aggregates import Tally
from assessment.models.purposes import Purpose
from evaluation.access.people import User
from evaluation.tracks.models import Task

Counts = Counter[int | None]  # judgments by grade; null: "cannot judge"

POOLED = """
    SELECT pool_id, item.grades, sum(item.refusal_count), count(*)
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
            for key, name in task.pools.order_by("name").values_list("pk", "name")
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
