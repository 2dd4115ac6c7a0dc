import pytest

from assessment.dashboard.progress import measured_workload
from evaluation.panels import Workload, workload_of
from tests.assessment.factories import judge, make_assignment
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db


def test_workload_is_the_median_and_the_people() -> None:
    assignment = make_assignment()
    make_assessor(assignment.pool.task.track)
    assert workload_of(assignment.pool.task) == Workload(None, 2)
    for docno, seconds in (("D1", 4.0), ("D2", 9.0), ("D3", 5.0)):
        judge(assignment, docno, 1, active_seconds=seconds)
    assert measured_workload(assignment.pool.task) == Workload(5.0, 2)
    assert Workload(5.0, 2).hours(1440) == 1.0  # 1440 x 5 s are two hours, for two people


def test_hours_are_unknown_before_anything_is_measured() -> None:
    assert Workload(None, 2).hours(100) is None
    assert Workload(5.0, 0).hours(100) is None
