"""The best runs of released tasks: those of the leaderboard, for people who may see it."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.utils import timezone

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


def test_whiskers_of_leaders_are_as_long_as_their_intervals() -> None:
    task = scored_task()
    found = find_leaders([task], AnonymousUser())[task.pk]
    lines = re.findall(r'class="oth si" d="M([\d.]+) [\d.]+H([\d.]+)"', found.svg)
    drawn = [float(high) - float(low) for low, high in lines]
    ends = [(leader.interval.low, leader.interval.high) for leader in found.best]
    widths = [high - low for low, high in ends if low is not None and high is not None]
    assert (len(drawn) > 1, min(drawn) > 0) == (True, True)
    scale = max(drawn) / max(widths)
    assert drawn == pytest.approx([scale * width for width in widths], abs=0.2)  # ends have one digit
    assert found.svg.count('class="oth sh"') == 2 * len(found.best)  # beside the name and at the mean


def test_tasks_have_each_their_first_measure_under_the_newest_grades_of_people() -> None:
    """RR@10 of D2 D1 with D1 relevant is 1/2, P@1 is 0; the earlier grades give 1 and 1."""
    tasks, now = [], timezone.now()
    for measures in (["RR@10", "P@1"], ["P@1", "RR@10"]):
        task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=2, measures=measures)
        make_run(task, tag="only", results={"T1": ["D2", "D1"]})
        make_qrels(task, name="a late", grades={("T1", "D1"): 2}, created_at=now)
        make_qrels(task, name="z early", grades={("T1", "D2"): 2}, created_at=now - timedelta(days=1))
        score_runs(task=task)
        tasks.append(task)
    found = find_leaders(tasks, AnonymousUser())
    shown = [(found[task.pk].measure, found[task.pk].best[0].mean) for task in tasks]
    assert shown == [("RR@10", 0.5), ("P@1", 0.0)]
    assert {leaders.qrels.name for leaders in found.values()} == {"a late"}


def test_a_task_judged_by_models_only_has_no_leader() -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=1)
    make_run(task, results={"T1": ["D1"]})
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades={("T1", "D1"): 1})
    score_runs(task=task)
    assert find_leaders([task], AnonymousUser()) == {}
