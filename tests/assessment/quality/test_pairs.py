"""Pairs of assessors with a common item, and their agreement."""

from collections import defaultdict
from itertools import chain, combinations, repeat

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessment.models import Assignment, AssignmentKind, CurrentJudgment
from assessment.quality.pairs import find_pairs, measure_pairs
from evaluation.models import Task
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.assessment.random_judging import make_judged, undo_last
from trackside.statistics.estimate import Reason

pytestmark = pytest.mark.django_db
SCALE = (0, 1, 2)


def pairs_of(task: Task) -> list[tuple[int, int]]:
    graders = CurrentJudgment.objects.filter(task=task).values_list("assessor", flat=True)
    return find_pairs(task, SCALE, {pk: f"{pk:09}" for pk in graders})


def looked_up(task: Task) -> list[tuple[int, int]]:
    """The same from each item's judgments of work."""
    graders = defaultdict(set)
    for each in CurrentJudgment.objects.filter(task=task, purpose="work", grade__in=SCALE):
        graders[each.item_id].add(each.assessor_id)
    return sorted({two for own in graders.values() for two in combinations(sorted(own), 2)})


def make_graders(*graded: tuple[str, ...]) -> Task:
    """An assessor of T1 for each group of docnos, who grades them; the topic has all of them."""
    pool = make_judging_pool(pairs=[("T1", docno) for docno in sorted(set().union(*graded))])
    kinds = chain([AssignmentKind.OWNER], repeat(AssignmentKind.SECOND))
    for own, kind in zip(graded, kinds, strict=False):
        given = make_assignment(pool, kind=kind)
        for docno in own:
            judge(given, docno, 1)
    return pool.task


@pytest.mark.parametrize("seed", range(6))
def test_pairs_after_random_events_are_those_of_the_judgments(seed: int) -> None:
    task = make_judged(seed, steps=25).pool.task
    assert pairs_of(task) == looked_up(task)


@pytest.mark.parametrize("seed", range(6))
def test_measured_pairs_are_those_of_the_judgments_one_by_one(seed: int) -> None:
    task = make_judged(seed, steps=40).pool.task
    two = Assignment.objects.filter(pool__task=task).order_by("pk")[:2]
    for given, grade in zip(two, (1, seed % len(SCALE)), strict=True):
        judge(given, "D1", grade)  # whatever happened before, these two share an item
    graded: dict[int, dict[int, int]] = defaultdict(dict)
    for each in CurrentJudgment.objects.filter(task=task, purpose="work", grade__in=SCALE):
        graded[each.assessor_id][each.item_id] = each.grade or 0
    pairs = looked_up(task)
    measured = measure_pairs(task, SCALE, pairs, {pk: f"{pk:09}" for pk in graded})
    assert pairs
    for (first, second), found in zip(pairs, measured, strict=True):
        shared = graded[first].keys() & graded[second].keys()
        same = [graded[first][item] == graded[second][item] for item in shared]
        assert (found.first, found.item_count, found.topic_count) == (f"{first:09}", len(shared), 1)
        assert found.observed.value == pytest.approx(sum(same) / len(same))


def test_pair_whose_judgments_are_undone_between_two_queries_is_undefined() -> None:
    pool = make_judging_pool(pairs=[("T1", "D1")])
    given = [make_assignment(pool, kind=kind) for kind in (AssignmentKind.OWNER, AssignmentKind.SECOND)]
    for each in given:
        judge(each, "D1", 1)
    (two,) = pairs_of(pool.task)
    undo_last(given[0])
    (found,) = measure_pairs(pool.task, SCALE, [two], {pk: str(pk) for pk in two})
    assert (found.item_count, found.observed.reason) == (0, Reason.EMPTY)
    assert pairs_of(pool.task) == []


def test_pairs_are_in_order_of_names_and_each_grade_stays_with_its_assessor() -> None:
    """The second of the names judges first, so the rows name the two in the other order."""
    pool = make_judging_pool(pairs=[("T1", "D1"), ("T1", "D2")])
    given = [make_assignment(pool, kind=kind) for kind in (AssignmentKind.OWNER, AssignmentKind.SECOND)]
    ben, ann = (each.assessor_id for each in given)
    for docno, of_ben, of_ann in (("D1", 0, 2), ("D2", 1, 2)):
        judge(given[0], docno, of_ben)
        judge(given[1], docno, of_ann)
    people = {ben: "Ben", ann: "Ann"}
    assert find_pairs(pool.task, SCALE, people) == [(ann, ben)]
    (found,) = measure_pairs(pool.task, SCALE, [(ann, ben)], people)
    assert (found.first, found.second) == ("Ann", "Ben")
    # Ann gave 2 twice, Ben 0 and 1: linear costs 2 + 1 of 2 + 1 expected.
    assert found.kappas[1].value.value == pytest.approx(0)
    assert found.observed.value == 0


def test_pairs_are_counted_and_their_judgments_not_read() -> None:
    task = make_graders(("D1", "D2", "D3"), ("D2",))
    people = {pk: str(pk) for pk in pairs_of(task)[0]}
    with CaptureQueriesContext(connection) as asked:
        (found,) = measure_pairs(task, SCALE, find_pairs(task, SCALE, people), people)
    assert found.item_count == 1
    assert not any("judgment" in each["sql"] for each in asked.captured_queries)


@pytest.mark.parametrize(
    ("graded", "count"),
    [
        ((("D1",), ("D2",)), 0),
        ((("D1", "D2"), ("D2",), ("D3",)), 1),
        ((("D1", "D2"), ("D2", "D3"), ("D3",)), 2),
    ],
)
def test_pairs_share_an_item(graded: tuple[tuple[str, ...], ...], count: int) -> None:
    task = make_graders(*graded)
    found = pairs_of(task)
    assert len(found) == count
    assert found == looked_up(task)
