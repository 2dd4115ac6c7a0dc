"""What the organizers' page on quality shows: the numbers of core, by assessor."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assessment.core.pace import Pace, pace
from assessment.core.quality import (
    GroupAgreement,
    PairAgreement,
    Share,
    agree_in_pairs,
    agree_together,
    right_on_gold,
    same_again,
)
from assessment.models import GoldItem, GoldUse, Judgment, Purpose
from assessment.views.crowd import Crowd, crowd_of
from assessment.views.grade_rows import GradeRow, grade_rows
from evaluation.models import Criteria, User

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.models import Task

    Grades = dict[tuple[str, str], int]

SEED = 20_260_101  # of the bootstrap over topics: the same page twice shows the same intervals


@dataclass(frozen=True)
class AssessorQuality:
    """One assessor's grades: against known ones, against the own of the same item, and the pace."""

    name: str
    count: int
    flag_count: int
    gold: Share
    repeats: Share
    pace: Pace


@dataclass(frozen=True)
class Quality:
    """All that the page shows."""

    assessors: list[AssessorQuality]
    crowd: Crowd
    pairs: list[PairAgreement]
    group: GroupAgreement
    rows: list[GradeRow]
    seed: int = SEED


def quality_of(task: Task) -> Quality:
    """Measure the current judgments of a task on the scale of its latest criteria."""
    current = list(Judgment.objects.filter(task=task).current())
    judgments = [each for each in current if each.purpose != Purpose.ADJUDICATION]
    scale = Criteria.objects.current(task).scale
    on_scale = [each for each in judgments if each.grade in scale]
    work = _grades([each for each in on_scale if each.purpose == Purpose.WORK])
    people = {user.pk: f"{user} ({user.email})" for user in User.objects.filter(judgments__task=task)}
    named = {people[pk]: grades for pk, grades in work.items()}
    # The right grade of a practice item was told.
    untold = GoldItem.objects.filter(task=task).exclude(use=GoldUse.PRACTICE)
    gold_items = untold.values_list("topic", "docno", "grade")
    gold = {(topic, docno): grade for topic, docno, grade in gold_items}
    return Quality(
        _by_assessor(on_scale, gold, people),
        crowd_of(task, on_scale, gold),
        agree_in_pairs(named, scale, seed=SEED),
        agree_together(named, scale),
        grade_rows(task, [each for each in judgments if each.purpose == Purpose.WORK], people, scale),
    )


def _by_assessor(
    judgments: Iterable[Judgment], gold: Grades, people: dict[int, str]
) -> list[AssessorQuality]:
    of_assessor: dict[int, list[Judgment]] = defaultdict(list)
    for each in judgments:
        of_assessor[each.assessor_id].append(each)
    rows = []
    for assessor, theirs in of_assessor.items():
        repeats = _grades([each for each in theirs if each.purpose == Purpose.REPEAT])
        first = _grades([each for each in theirs if each.purpose != Purpose.REPEAT])
        # The current judgments come by pair; the pace is that of the days, so in the order of judging.
        ordered = sorted(theirs, key=lambda each: each.pk)
        seconds = [each.active_seconds for each in ordered if each.active_seconds]
        rows.append(
            AssessorQuality(
                people[assessor],
                len(theirs),
                sum(each.is_flagged for each in theirs),
                right_on_gold(first.get(assessor, {}), gold),
                same_again(first.get(assessor, {}), repeats.get(assessor, {})),
                pace(seconds),
            )
        )
    return sorted(rows, key=lambda row: row.name)


def _grades(judgments: Iterable[Judgment]) -> dict[int, Grades]:
    found: dict[int, Grades] = defaultdict(dict)
    for each in judgments:
        if each.grade is not None:
            found[each.assessor_id][each.topic, each.docno] = each.grade
    return dict(found)
