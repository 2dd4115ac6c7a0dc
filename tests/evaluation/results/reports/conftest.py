import pytest

from evaluation.models import Phase, QrelsKind, Task
from evaluation.results.reports.actions import compute_report
from tests.factories import make_qrels, make_run, make_task, make_team


@pytest.fixture
def running() -> Task:
    """Three runs of two teams on two topics, with a report of all."""
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=2)
    teams = [make_team(task.track), make_team(task.track, is_baseline=True)]
    for tag, team, order in (("a", 0, "D1 D2"), ("b", 0, "D2 D1"), ("c", 1, "D2")):
        make_run(task, tag=tag, team=teams[team], results={f"T{n}": order.split() for n in (1, 2)})
    grades = {(f"T{topic}", f"D{number}"): number for topic in (1, 2) for number in (1, 2)}
    make_qrels(task, name="people", grades=dict(grades))
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=grades | {("T1", "D1"): 0})
    assert compute_report(task=task)
    return task
