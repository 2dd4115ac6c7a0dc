"""Judgments of the people who own their topic."""

import pytest

from assessment.models import AssignmentKind, Judgment
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_assessor, make_pool, make_task

pytestmark = pytest.mark.django_db


def test_judgments_by_owners_are_of_the_topics_that_the_assessor_owns_in_the_task() -> None:
    """The person owns T1, judges T2 as the second assessor, and owns T2 in another task."""
    pool = make_judging_pool()
    person = make_assessor(pool.task.track)
    owned = judge(make_assignment(pool, topic="T1", assessor=person), "D1", 1)
    judge(make_assignment(pool, topic="T2", assessor=person, kind=AssignmentKind.SECOND), "D1", 0)
    make_assignment(pool, topic="T2")
    task = make_task(pool.task.track, topic_count=2, document_count=1)
    make_assignment(make_pool(task, pairs=[("T2", "D1")]), topic="T2", assessor=person)
    assert list(Judgment.objects.by_owners()) == [owned]
