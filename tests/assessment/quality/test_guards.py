"""The guards of a release name careless judging from the stored counts, and what is open."""

import numpy as np
import pytest
from django.core.cache import caches

from assessment.models import AssignmentKind
from assessment.quality.guards import release_guards
from evaluation.models import Phase, Task
from tests.assessment.factories import judge, make_assignment
from tests.factories import make_pool, make_task

pytestmark = pytest.mark.django_db

DOCNOS = [f"D{number}" for number in range(1, 61)]
TRUTH = np.random.default_rng(3).integers(3, size=len(DOCNOS))


def texts(task: Task) -> str:
    caches["pages"].clear()
    return "\n".join(f"{guard.state} {guard.text}" for guard in release_guards(task))


def judged(*graded: np.ndarray, seconds: float = 3.0) -> Task:
    """A topic of 60 items, graded by as many people as there are lists of grades."""
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=len(DOCNOS))
    pool = make_pool(task, pairs=[("T1", docno) for docno in DOCNOS])
    for index, grades in enumerate(graded):
        assignment = make_assignment(pool, kind=AssignmentKind.SECOND if index else AssignmentKind.OWNER)
        for docno, grade in zip(DOCNOS, grades, strict=True):
            judge(assignment, docno, int(grade), active_seconds=seconds)
    return task


def test_people_who_agree_are_not_named() -> None:
    assert "bad" not in texts(judged(TRUTH, TRUTH))


def test_two_people_at_chance_and_their_open_items_are_named() -> None:
    task = judged(TRUTH, np.random.default_rng(4).integers(3, size=len(DOCNOS)))
    found = texts(task)
    assert "hardly more than by chance" in found
    assert "to settle" in found


def test_single_grading_and_haste_are_named() -> None:
    found = texts(judged(TRUTH, seconds=0.3))
    assert "No item is graded by two people" in found
    assert "below 1 s" in found


def test_one_grade_for_all_is_named() -> None:
    mostly = np.where(np.arange(len(DOCNOS)) < 40, 0, 2)
    assert "the same grade" in texts(judged(np.zeros(len(DOCNOS)), mostly))
