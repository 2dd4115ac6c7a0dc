"""The numbers of the organizers' page on quality, by assessor."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Count, QuerySet, Sum

from assessment.core.pace import RECENT, Pace, pace
from assessment.core.quality import (
    GroupAgreement,
    PairAgreement,
    Proportion,
    group_agreement,
    same_as,
)
from assessment.models.aggregates import CurrentJudgment, JudgedItem, Tally
from assessment.models.judgment import Judgment
from assessment.models.plan import JudgingPlan, Surface
from assessment.models.purposes import NOT_SHOWN, Purpose
from assessment.quality.pairs import find_pairs, measure_pairs
from assessment.quality.rows import (
    Crowd,
    ExtraRow,
    GoldAnswer,
    GradeRow,
    crowd_of,
    find_extras,
    find_gold,
    find_parts,
    gold_answers,
    measure_parts,
)
from assessment.quality.trust import Trust, find_trust
from assessment.quality.walls import WallRow, find_walls
from evaluation.platform.access.people import User
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task

Grades = dict[tuple[str, str], int]

PAGE_SIZE = 20
Row = TypeVar("Row")
Measured = TypeVar("Measured")


@dataclass(frozen=True)
class AssessorQuality:
    """One assessor's accuracy on gold items, test-retest agreement and pace.

    ``look_count`` says how often the assessor opened an item again after judging it.
    """

    name: str
    count: int
    flag_count: int
    gold: Proportion
    repeats: Proportion
    look_count: int
    pace: Pace


@dataclass(frozen=True)
class Quality:
    """All numbers of the page, with one page of each of its tables."""

    assessors: Page[AssessorQuality]
    crowd: Crowd
    pairs: Page[PairAgreement]
    group: GroupAgreement
    rows: Page[GradeRow]
    extras: Page[ExtraRow]
    walls: Page[WallRow]
    has_walls: bool
    trust: Trust


def quality_of(task: Task, *, pages: Mapping[str, str] | None = None) -> Quality:
    """Measure the current judgments of a task on the scale of its latest criteria.

    ``pages`` has the page numbers of the tables ``assessors``, ``pairs``, ``rows``, ``extras`` and
    ``walls``, from 1.
    """
    pages = pages or {}
    scale = Criteria.objects.current(task).scale
    people = _names(task, scale)
    gold = find_gold(task)
    answers = gold_answers(task, scale)
    assessors = _page(sorted(people, key=lambda pk: people[pk]), pages.get("assessors"))
    pairs = _page(find_pairs(task, scale, people), pages.get("pairs"))
    parts = _page(find_parts(task, people), pages.get("rows"))
    return Quality(
        _filled(assessors, _by_assessor(task, scale, list(assessors), people, answers, gold)),
        crowd_of(task, answers, gold),
        _filled(pairs, measure_pairs(task, scale, list(pairs), people)),
        group_agreement(_items_by_grades(task, scale), scale),
        _filled(parts, measure_parts(task, scale, list(parts))),
        _page(find_extras(task, scale), pages.get("extras")),
        _page(find_walls(task, people), pages.get("walls")),
        JudgingPlan.objects.of(task).surface != Surface.SINGLE,
        find_trust(task),
    )


def _page(rows: Sequence[Row], number: str | None) -> Page[Row]:
    return Paginator(rows, PAGE_SIZE).get_page(number)


def _filled(page: Page[Row], measured: Sequence[Measured]) -> Page[Measured]:
    """Return the same page with the measured rows instead of their keys."""
    return Page(measured, page.number, cast("Paginator[Measured]", page.paginator))


def _names(task: Task, scale: Sequence[int]) -> dict[int, str]:
    """Return the name and address of each person with a grade of a pool, gold or repeated item."""
    users = User.objects.filter(pk__in=_graded(task, scale).values("assessor"))
    return {user.pk: f"{user} ({user.email})" for user in users}


def _graded(task: Task, scale: Sequence[int]) -> QuerySet[Tally]:
    """Return the tallies of grades of pool, gold and repeated items."""
    graded = Tally.objects.filter(task=task, grade__in=scale, count__gt=0)
    return graded.exclude(purpose__in=NOT_SHOWN).order_by()


def _items_by_grades(task: Task, scale: Sequence[int]) -> Counter[tuple[int, ...]]:
    """Count the items by their grades on the scale."""
    item_counts: Counter[tuple[int, ...]] = Counter()
    items = JudgedItem.objects.filter(task=task).order_by()
    for grades, count in items.values_list("grades").annotate(count=Count("pk")):
        item_counts[tuple(grade for grade in grades if grade in scale)] += count
    return item_counts


def _by_assessor(
    task: Task,
    scale: Sequence[int],
    assessors: Sequence[int],
    people: Mapping[int, str],
    answers: Sequence[GoldAnswer],
    gold: Grades,
) -> list[AssessorQuality]:
    rows = CurrentJudgment.objects.filter(task=task, assessor__in=assessors, grade__in=scale)
    rows = rows.exclude(purpose__in=NOT_SHOWN)
    grade_counts = dict(
        _graded(task, scale).filter(assessor__in=assessors).values_list("assessor").annotate(Sum("count"))
    )
    flag_counts = dict(rows.filter(is_flagged=True).values_list("assessor").annotate(Count("pk")))
    look_counts = dict(
        Judgment.objects.filter(task=task, assessor__in=assessors, looks_back__gt=0)
        .order_by()
        .values_list("assessor")
        .annotate(Sum("looks_back"))
    )
    seconds = _recent_seconds(task, scale, assessors)
    gold_grades: dict[int, Grades] = defaultdict(dict)
    for answer in answers:
        gold_grades[answer.assessor][answer.topic, answer.docno] = answer.grade
    repeats = rows.filter(purpose=Purpose.REPEAT)
    repeat_grades = _grades(repeats.values_list("assessor", "item__topic", "item__docno", "grade"))
    firsts = rows.filter(item__in=repeats.values("item")).exclude(purpose=Purpose.REPEAT).order_by("purpose")
    first_grades = _grades(firsts.values_list("assessor", "item__topic", "item__docno", "grade"))
    return [
        AssessorQuality(
            people[pk],
            grade_counts.get(pk, 0),
            flag_counts.get(pk, 0),
            same_as(gold, gold_grades[pk]),
            same_as(first_grades[pk], repeat_grades[pk]),
            look_counts.get(pk, 0),
            pace(seconds.get(pk, ())),
        )
        for pk in assessors
    ]


def _recent_seconds(task: Task, scale: Sequence[int], assessors: Sequence[int]) -> dict[int, list[float]]:
    """Return the active seconds of each assessor's RECENT last graded items, in order of judging."""
    with connection.cursor() as cursor:
        cursor.execute(SECONDS, [list(assessors), task.pk, list(scale), list(NOT_SHOWN), RECENT])
        return dict(cursor.fetchall())


SECONDS = """
    SELECT assessor, array_agg(active_seconds ORDER BY judged_at, judgment_id)
    FROM unnest(%s::bigint[]) AS assessor, LATERAL (
        SELECT active_seconds, judged_at, judgment_id FROM assessment_currentjudgment
        WHERE task_id = %s AND assessor_id = assessor AND grade = ANY(%s) AND purpose <> ALL(%s)
            AND active_seconds > 0
        ORDER BY judged_at DESC, judgment_id DESC LIMIT %s
    ) AS recent
    GROUP BY assessor
"""


def _grades(rows: Iterable[tuple[int, str, str, int | None]]) -> dict[int, Grades]:
    grades: dict[int, Grades] = defaultdict(dict)
    for assessor, topic, docno, grade in rows:
        if grade is not None:
            grades[assessor][topic, docno] = grade
    return grades
