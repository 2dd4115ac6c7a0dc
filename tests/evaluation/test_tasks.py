"""The worker's tasks: each calls its action, twice without harm."""

import pytest

from evaluation import tasks
from evaluation.models import MeasureValue, QrelsKind, Ranking, Report, RunState
from evaluation.tracks.work.recomputing.actions import ask_results
from tests.factories import make_blob, make_qrels, make_run, make_task

pytestmark = pytest.mark.django_db


def test_check_task_gives_the_verdict_once() -> None:
    task = make_task(topic_count=1, document_count=1)
    run = make_run(task, state=RunState.RECEIVED, upload=make_blob(b"T1 Q0 D1 1 1 kestrel\n"))
    for _ in range(2):
        tasks.check(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.ACCEPTED
    assert Ranking.objects.filter(run=run).count() == 1


def test_report_task_computes_the_report_once() -> None:
    task = make_task()
    make_run(task)
    make_qrels(task)
    make_qrels(task, kind=QrelsKind.MODEL)
    for _ in range(2):
        ask_results(task_id=task.pk)
        tasks.run_scores()
        tasks.run_reports()
    assert MeasureValue.objects.exists()
    assert Report.objects.filter(task=task).count() == 1


def test_sweep_task_runs() -> None:
    tasks.sweep()
