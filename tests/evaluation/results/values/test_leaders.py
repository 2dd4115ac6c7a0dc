"""The best runs of released tasks: those of the leaderboard, for people who may see it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from evaluation.models import Phase, QrelsKind, Run, Task
from evaluation.results.values.actions import score_runs
from evaluation.results.values.leaderboard import read_board
from evaluation.results.values.leaders import find_leaders
from evaluation.submissions.runs.editing import withdraw_run
from tests.factories import dates_of, make_assessor, make_organizer, make_qrels, make_run, make_task

pytestmark = pytest.mark.django_db

ORDERS = {"best": "D1 D2 D3", "second": "D2 D1 D3", "third": "D3 D2 D1"}
ORDERS |= dict.fromkeys(("fourth", "fifth", "sixth"), "D3")
GRADES: dict[tuple[str, str], int | None] = {
    (f"T{topic}", f"D{number}"): 3 - number for topic in range(1, 12) for number in (1, 2, 3)
}


def scored_task() -> Task:
    task = make_task(phase=Phase.RELEASED, topic_count=11, document_count=3)
    for tag, order in ORDERS.items():
        results = {f"T{topic}": order.split()[topic % 2 :] or order.split() for topic in range(1, 12)}
        make_run(task, tag=tag, results=results)
    make_qrels(task, name="people", grades=GRADES)
    score_runs(task=task)
    return task


def test_leaders_are_the_first_rows_of_the_leaderboard_after_the_release() -> None:
    task, reader = scored_task(), AnonymousUser()
    found = find_leaders([task], reader)[task.pk]
    rows = read_board(task, reader, task.qrels.get(), QueryDict()).rows
    assert [each.run.tag for each in found.best] == [row.run.tag for row in rows[:5]]
    for leader, row in zip(found.best, rows, strict=False):
        assert leader.mean == pytest.approx(row.standing.mean)
        assert leader.interval == row.standing.interval
    assert (found.run_count, found.team_count, found.measure) == (6, 6, "nDCG@10")
    drawn = [row.run.tag for row in rows if f">{row.run.tag}</text>" in found.svg]
    assert drawn == [row.run.tag for row in rows[:5]]
    assert find_leaders([task], make_assessor(task.track)) == {}
    best, by = Run.objects.get(tag="best"), make_organizer(task.track)
    withdraw_run(run=best, by=by, reason="Trained on the topics.")
    assert find_leaders([task], reader)[task.pk].run_count == 5
    for phase in (Phase.OPEN, Phase.CLOSED, Phase.JUDGING):
        Task.objects.filter(pk=task.pk).update(**dates_of(phase))
        assert find_leaders([task], reader) == {}


def test_a_task_judged_by_models_only_has_no_leader() -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=1)
    make_run(task, results={"T1": ["D1"]})
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades={("T1", "D1"): 1})
    score_runs(task=task)
    assert find_leaders([task], AnonymousUser()) == {}
