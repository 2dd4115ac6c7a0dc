"""The numbers of the organizers' page on quality, by assessor."""

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
from assessment.models.assignment import Purpose
from assessment.models.gold import GoldItem, GoldUse
from assessment.models.judgment import Judgment
from assessment.models.remark import Remark, apply_remarks
from assessment.quality.rows import Crowd, GradeRow, crowd_of, grade_rows
from evaluation.access.people import User
from evaluation.tracks.criteria import Criteria

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.tracks.models import Task

    Grades = dict[tuple[str, str], int]


@dataclass(frozen=True)
class AssessorQuality:
    """One assessor's accuracy on gold items, test-retest agreement and pace."""

    name: str
    count: int
    flag_count: int
    gold: Share
    repeats: Share
    pace: Pace


@dataclass(frozen=True)
class Quality:
    """All numbers of the page."""

    assessors: list[AssessorQuality]
    crowd: Crowd
    pairs: list[PairAgreement]
    group: GroupAgreement
    rows: list[GradeRow]


def quality_of(task: Task) -> Quality:
    """Measure the current judgments of a task on the scale of its latest criteria."""
    current = list(Judgment.objects.filter(task=task).current())
    apply_remarks(current, Remark.objects.filter(task=task).current())
    judgments = [each for each in current if each.purpose != Purpose.ADJUDICATION]
    scale = Criteria.objects.current(task).scale
    on_scale = [each for each in judgments if each.grade in scale]
    work = _grades([each for each in on_scale if each.purpose == Purpose.WORK])
    people = {user.pk: f"{user} ({user.email})" for user in User.objects.filter(judgments__task=task)}
    named = {people[pk]: grades for pk, grades in work.items()}
    # Exclude practice items: assessors have seen their right grade.
    unseen = GoldItem.objects.filter(task=task).exclude(use=GoldUse.PRACTICE)
    gold_items = unseen.values_list("topic", "docno", "grade")
    gold = {(topic, docno): grade for topic, docno, grade in gold_items}
    return Quality(
        _by_assessor(on_scale, gold, people),
        crowd_of(task, on_scale, gold),
        agree_in_pairs(named, scale),
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
    for assessor, own in of_assessor.items():
        repeats = _grades([each for each in own if each.purpose == Purpose.REPEAT])
        first = _grades([each for each in own if each.purpose != Purpose.REPEAT])
        # Current judgments are sorted by pair; pace needs the order of judging.
        ordered = sorted(own, key=lambda each: each.pk)
        seconds = [each.active_seconds for each in ordered if each.active_seconds]
        rows.append(
            AssessorQuality(
                people[assessor],
                len(own),
                sum(each.is_flagged for each in own),
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
