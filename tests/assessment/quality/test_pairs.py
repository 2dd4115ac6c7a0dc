"""Pairs of assessors with a common item: those that follow from counts, and those that are looked up."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, combinations, repeat
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessment.models import AssignmentKind, CurrentJudgment
from assessment.quality import pairs as module
from assessment.quality.pairs import find_pairs, measure_pairs
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.assessment.random_judging import make_judged, undo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assessment.core.quality import TopicsOfItems
    from assessment.models import Assignment
    from evaluation.models import Task

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


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5])  # with seed 3 no two people share an item
def test_measured_pairs_are_those_of_the_judgments_one_by_one(seed: int) -> None:
    task = make_judged(seed, steps=40).pool.task
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


@pytest.mark.parametrize("topics", [("T1", "T2"), ("T2",)])
def test_judgments_undone_between_two_queries_break_no_page(
    topics: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_judging_pool(pairs=[("T1", "D1"), ("T2", "D2")])
    given: list[Assignment] = []
    for topic in topics:
        for kind in (AssignmentKind.OWNER, AssignmentKind.SECOND):
            who = {"assessor": given[-2].assessor} if len(given) > 1 else {}
            given.append(make_assignment(pool, topic=topic, kind=kind, **who))
            judge(given[-1], f"D{topic[1]}", 1)
    read_topics = module._topics_of_items

    def undo_then_read(task: Task, assessors: Sequence[int]) -> TopicsOfItems:
        for each in given[-2:]:
            undo(each)
        return read_topics(task, assessors)

    monkeypatch.setattr(module, "_topics_of_items", undo_then_read)
    (two,) = pairs_of(pool.task)
    (found,) = measure_pairs(pool.task, SCALE, [two], {pk: str(pk) for pk in two})
    assert found.item_count == len(topics)


def test_pairs_that_graded_more_than_the_topic_has_follow_from_counts_alone() -> None:
    task = make_graders(("D1", "D2", "D3"), ("D2",))
    with CaptureQueriesContext(connection) as asked:
        found = pairs_of(task)
    assert len(found) == 1
    assert found == looked_up(task)
    assert not any("int8send" in each["sql"] for each in asked.captured_queries)


@pytest.mark.parametrize(
    ("graded", "count"),
    [
        ((("D1",), ("D2",)), 0),
        ((("D1", "D2"), ("D2",), ("D3",)), 1),
        ((("D1", "D2"), ("D2", "D3"), ("D3",)), 2),  # the first follows from the counts
    ],
)
def test_pairs_that_do_not_follow_from_counts_are_looked_up(
    graded: tuple[tuple[str, ...], ...], count: int
) -> None:
    task = make_graders(*graded)
    found = pairs_of(task)
    assert len(found) == count
    assert found == looked_up(task)
