"""Computing values and the report from what is stored."""

import pytest

from evaluation.models import MeasureValue, Phase, QrelsKind, Report, ReportProgress, Task
from evaluation.results.reports.actions import compute_report
from evaluation.results.reports.shown import ShownReport
from evaluation.results.values.actions import compute_values, measures_at
from evaluation.tasks import run_reports
from evaluation.tracks.work.recomputing.actions import ask_results
from tests.factories import make_family, make_qrels, make_run, make_task
from trackside.errors import InputError

pytestmark = pytest.mark.django_db

GRADES: dict[tuple[str, str], int | None] = {
    ("T1", "D1"): 2,
    ("T1", "D2"): 0,
    ("T2", "D1"): 1,
    ("T2", "D2"): None,
}


def _task_with_runs() -> Task:
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=3)
    make_run(task, tag="good", results={"T1": ["D1", "D2"], "T2": ["D1"]})
    make_run(task, tag="bad", results={"T1": ["D2", "D1"]}).families.add(make_family(task, name="CLIP-based"))
    return task


def test_compute_values_are_trec_eval_s_with_unanswered_topics_as_zero() -> None:
    task = _task_with_runs()
    qrels = make_qrels(task, grades=GRADES)
    compute_values(qrels=qrels, runs=task.runs.all(), measures=["AP", "AP(rel=2)", "RR@10"])
    # bad: on T1 the relevant document is second (AP 1/2), T2 is not answered (0).
    bad = MeasureValue.objects.get(run__tag="bad", measure="AP")
    assert (bad.values, bad.mean) == ([0.5, 0.0], 0.25)
    good = MeasureValue.objects.get(run__tag="good", measure="AP(rel=2)")
    assert good.values == [1.0, 0.0]  # T2 has no document of grade 2


def test_a_judge_keeps_its_mark_when_another_is_added() -> None:
    task = _task_with_runs()
    make_qrels(task, grades=GRADES)
    make_qrels(task, name="zeta", kind=QrelsKind.MODEL, grades=GRADES)
    before = compute_report(task=task)
    make_qrels(task, name="alpha", kind=QrelsKind.MODEL, grades=GRADES)
    make_qrels(task, name="zeta", version=2, kind=QrelsKind.MODEL, grades=GRADES)
    after = compute_report(task=task)
    assert before
    assert after
    people = before.summary.facts.qrels[0].name
    assert ShownReport(before, "AP", None).series == {people: "p1", "zeta": "j1"}
    assert ShownReport(after, "AP", None).series == {people: "p1", "alpha": "j2", "zeta": "j1"}


def test_compute_values_are_stored_once_and_those_of_older_code_are_replaced() -> None:
    task = _task_with_runs()
    qrels = make_qrels(task, grades=GRADES)
    for _ in range(2):
        compute_values(qrels=qrels, runs=task.runs.all(), measures=["AP"])
    assert MeasureValue.objects.count() == 2
    MeasureValue.objects.update(code_version="old", values=[9.0, 9.0], mean=9.0)
    compute_values(qrels=qrels, runs=task.runs.all(), measures=["AP"])
    assert set(MeasureValue.objects.values_list("mean", flat=True)) == {0.25, 1.0}


def test_measures_name_the_level_where_it_is_not_one() -> None:
    assert measures_at(1, (0, 1, 2)) == [
        "nDCG@10", "Judged@10", "AP", "RR@10", "R@1000", "P@10",
        "AP(rel=2)", "RR(rel=2)@10", "R(rel=2)@1000", "P(rel=2)@10",
    ]  # fmt: skip
    assert "AP" not in measures_at(2, (0, 1, 2))


def test_compute_report_compares_people_and_model() -> None:
    task = _task_with_runs()
    make_qrels(task, name="people", grades=GRADES)
    swapped: dict[tuple[str, str], int | None] = GRADES | {("T1", "D1"): 0, ("T1", "D2"): 2}
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=swapped, raw_scores={("T1", "D1"): 0.4})
    report = compute_report(task=task)
    assert report is not None
    facts = report.summary.facts
    assert facts.measures == ("nDCG@10", "AP", "AP(rel=2)")
    assert [run.tag for run in facts.runs] == ["bad", "good"]
    order = report.summary.judges[0].order("AP")
    assert order.people_means == (0.25, 1.0)
    assert order.judge_means == (0.5, 0.75)  # it swaps D1 and D2 on T1: bad 1, 0 and good 1/2, 1
    assert report.summary.judges[0].families[0].family == "CLIP-based"


def test_compute_report_is_none_until_there_is_something_to_compare() -> None:
    task = make_task(phase=Phase.JUDGING)
    assert compute_report(task=task) is None
    make_qrels(task, kind=QrelsKind.MODEL)
    make_run(task)
    assert compute_report(task=task) is None
    make_qrels(task)
    assert compute_report(task=task) is not None


def test_a_track_has_a_report_of_people_s_grades_alone() -> None:
    task = _task_with_runs()
    make_qrels(task, name="people", grades=GRADES)
    report = compute_report(task=task)
    assert report is not None
    findings = report.summary
    assert (findings.judges, findings.yardsticks) == ((), ())
    leader = next(leader for leader in findings.leaders if leader.measure == "AP")
    # Over two topics nothing is told apart.
    assert (leader.first, leader.not_told_from, leader.means) == (("good",), ("bad",), (0.25, 1.0))


def test_compute_report_takes_the_latest_version_of_each_name() -> None:
    task = _task_with_runs()
    make_qrels(task, name="people", grades=GRADES)
    make_qrels(task, name="people", version=2, grades={("T1", "D1"): 1})
    make_qrels(task, name="second", kind=QrelsKind.SECOND, grades=GRADES)
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=GRADES)
    make_qrels(task, name="clip", version=2, kind=QrelsKind.MODEL, grades=GRADES)
    report = compute_report(task=task)
    assert report is not None
    assert [(graded.name, graded.version) for graded in report.summary.facts.qrels] == [
        ("people", 2),
        ("second", 1),
        ("clip", 2),
    ]


def test_compute_report_of_the_same_inputs_is_kept_and_becomes_the_latest() -> None:
    task = _task_with_runs()
    make_qrels(task, grades=GRADES)
    make_qrels(task, kind=QrelsKind.MODEL, grades=GRADES)
    first = compute_report(task=task)
    task.runs.get(tag="bad").families.clear()
    other = compute_report(task=task)
    task.runs.get(tag="bad").families.add(task.families.get())
    again = compute_report(task=task)
    assert first == again != other
    assert Report.objects.filter(task=task).latest() == first


def test_compute_report_leaves_out_measures_that_leaderboards_alone_can_show() -> None:
    task = _task_with_runs()
    Task.objects.filter(pk=task.pk).update(measures=["GMAP", "AP"])
    make_qrels(task, name="people", grades=GRADES)
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=GRADES)
    report = compute_report(task=Task.objects.get(pk=task.pk))
    assert report is not None
    assert report.summary.facts.measures == ("AP",)
    assert "Left out, as their means cannot be compared: GMAP." in report.summary.facts.basis


def test_compute_report_reports_when_no_measure_is_left() -> None:
    task = _task_with_runs()
    Task.objects.filter(pk=task.pk).update(measures=["YAAP"])
    make_qrels(task, name="people", grades=GRADES)
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=GRADES)
    with pytest.raises(InputError, match=r"^YAAP: .* Choose one of AP"):
        compute_report(task=Task.objects.get(pk=task.pk))
    ask_results(task_id=task.pk)
    run_reports()
    assert ReportProgress.objects.get().problem.startswith("YAAP: ")
