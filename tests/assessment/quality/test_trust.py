"""Gold, repeats and times of judging reach the guards from the database."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from django.core.cache import caches

from assessment.models import Assignment, GoldItem, JudgingPlan, Purpose
from assessment.quality import trust
from assessment.quality.trust import Trust, find_trust
from evaluation.models import Phase
from tests.assessment.factories import judge, make_assignment
from tests.factories import make_document, make_pool, make_task
from trackside.statistics.suspects import Findings, Suspect, Work

pytestmark = pytest.mark.django_db

DOCNOS = [f"D{number}" for number in range(1, 61)]
GRADES = np.random.default_rng(3).integers(3, size=len(DOCNOS)).tolist()
KNOWN = {f"G{number}": number % 3 for number in range(16)}


def make_work(**plan: int) -> Assignment:
    """T1 of 60 items, assigned to one person; gold is mixed in as the plan says."""
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=len(DOCNOS))
    JudgingPlan.objects.create(task=task, **plan)
    for docno, grade in KNOWN.items():
        make_document(task.collection, docno=docno)
        GoldItem.objects.create(task=task, topic="T1", docno=docno, grade=grade)
    return make_assignment(make_pool(task, pairs=[("T1", docno) for docno in DOCNOS]))


def judge_all(assignment: Assignment, gold: Mapping[str, int], repeated: Sequence[int] = ()) -> Trust:
    """What is found once all items are graded in order, those shown again with these grades."""
    again = iter(repeated)
    work = dict(zip(DOCNOS, GRADES, strict=True)) | dict(gold)
    for item in assignment.items.order_by("place"):
        grade = next(again) if item.purpose == Purpose.REPEAT else work[item.docno]
        judge(assignment, item.docno, grade, purpose=Purpose(item.purpose))
    caches["pages"].clear()
    return find_trust(assignment.pool.task)


@pytest.mark.parametrize(("right_count", "is_named"), [(3, True), (16, False)])
def test_person_with_few_gold_items_right_is_named(right_count: int, is_named: bool) -> None:
    assignment = make_work(gold_percent=30)
    answers = {
        docno: grade if place < right_count else (grade + 1) % 3
        for place, (docno, grade) in enumerate(KNOWN.items())
    }
    found = judge_all(assignment, answers)
    assert assignment.own_judgments().filter(purpose=Purpose.GOLD).count() == len(KNOWN)
    assert [list(suspect.starts) for suspect in found.suspects] == [[assignment.assessor]] * is_named
    assert found.untold == []


@pytest.mark.parametrize("is_equal", [True, False])
def test_person_who_grades_items_shown_again_otherwise_is_named(is_equal: bool) -> None:
    assignment = make_work(repeat_percent=30)
    shown = assignment.items.filter(purpose=Purpose.REPEAT).order_by("place")
    grades = dict(zip(DOCNOS, GRADES, strict=True))
    first = [grades[item.docno] for item in shown]
    found = judge_all(assignment, {}, first if is_equal else [(grade + 1) % 3 for grade in first])
    assert len(first) == 18  # 30 % of 60
    assert bool(found.suspects) is not is_equal
    assert found.untold == []


def test_time_of_a_cell_is_that_of_the_four_that_one_look_takes_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assignment = make_work()
    judge(assignment, "D1", 1, active_seconds=0.5)
    judge(assignment, "D2", 1, active_seconds=0.5, wall=1, cell=2)
    works: dict[int, Work] = {}

    def compare(given: Mapping[int, Work], _gold: Mapping[int, int], size: int) -> Findings:
        works.update(given)
        return Findings([], {}, np.ones(size))

    monkeypatch.setattr(trust, "find_suspects", compare)
    caches["pages"].clear()
    find_trust(assignment.pool.task)
    assert works[assignment.assessor_id].seconds.tolist() == [0.5, 2.0]


def test_judgment_from_which_on_is_counted_among_all_not_among_those_that_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assignment = make_work()
    for docno in DOCNOS[:5]:
        judge(assignment, docno, 1)
    fifth = assignment.own_judgments().get(docno="D5")

    def compare(given: Mapping[int, Work], _gold: Mapping[int, int], size: int) -> Findings:
        [person] = given
        assert len(given[person].seconds) == 3
        return Findings([Suspect((person,), "does not look", 2, 2, 3)], {}, np.ones(size))

    monkeypatch.setattr(trust, "LATEST", 3)
    monkeypatch.setattr(trust, "find_suspects", compare)
    caches["pages"].clear()
    [found] = find_trust(assignment.pool.task).suspects
    assert (found.first, found.since) == (5, fifth.judged_at)  # the third of the latest three of five
