"""Reports of a choice: queued once, few at a time, computed by the worker, found until an input changes."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from evaluation.models import Phase, QrelsKind, Report, ReportProgress, Task, User
from evaluation.results.reports.actions import MOST_WAITING, ask_report, compute_report, find_report
from evaluation.results.reports.inputs import gather_inputs
from evaluation.tasks import run_reports
from tests.factories import make_family, make_pool, make_qrels, make_run, make_task, make_user
from trackside.errors import InputError
from trackside.reporting.design import Choice

pytestmark = pytest.mark.django_db

PEOPLE: dict[tuple[str, str], int | None] = {
    (f"T{topic}", f"D{number}"): number - 1 for topic in (1, 2, 3) for number in (1, 2, 3)
}
MODEL = PEOPLE | {("T1", "D3"): 0}
CHOICE = Choice(("a", "b"), ("T1", "T3"))


@pytest.fixture
def task() -> Task:
    task = make_task(phase=Phase.JUDGING, topic_count=3, document_count=3)
    for tag, order in (("a", "D1 D2 D3"), ("b", "D3 D2 D1"), ("c", "D2 D3")):
        make_run(task, tag=tag, results={f"T{topic}": order.split() for topic in (1, 2, 3)})
    make_qrels(task, name="people", grades=PEOPLE)
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=MODEL)
    return task


@pytest.fixture
def asker() -> User:
    return make_user()


def _computed(task: Task, choice: Choice) -> Report:
    report = compute_report(task=task, choice=choice)
    assert report is not None
    return report


def test_report_of_a_choice_has_its_runs_and_topics_alone(task: Task) -> None:
    whole, report = _computed(task, Choice()), _computed(task, CHOICE)
    facts = report.summary.facts
    assert [run.tag for run in facts.runs] == ["a", "b"]
    assert (facts.topic_count, facts.graded_count) == (2, 6)
    # Under people a has grades 0 1 2 and b 2 1 0 on every topic; AP at grade 1 of a is (1/2 + 2/3) / 2.
    order = report.summary.judges[0].order("AP")
    assert list(order.people_means) == pytest.approx([7 / 12, 1.0])
    assert (order.run_count, order.topic_count) == (2, 2)
    assert facts.basis.endswith("Chosen: 2 of 3 runs, 2 of 3 topics.")
    # It does not replace the whole report.
    assert list(Report.objects.whole()) == [whole]


def test_report_is_found_until_an_input_changes(task: Task) -> None:
    report = _computed(task, CHOICE)
    assert find_report(task=task, choice=CHOICE) == report
    assert find_report(task=task, choice=Choice(("a",), ())) is None
    task.runs.get(tag="a").families.add(make_family(task))
    assert find_report(task=task, choice=CHOICE) is None


def test_report_knows_the_depth_to_which_runs_went_into_pools(task: Task) -> None:
    """It is 0 for a run in no pool; it decides which documents each run alone added."""
    make_pool(task, pairs=[("T1", "D1")], runs=[task.runs.get(tag="a")])
    depth = task.pools.latest("created_at").pool_runs.get().depth
    inputs = gather_inputs(task=task, choice=Choice())
    assert inputs is not None
    assert {run.tag: run.pool_depth for run in inputs.described} == {"a": depth, "b": 0, "c": 0}


def test_asking_queues_a_choice_once(
    task: Task, asker: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        first = ask_report(task=task, choice=CHOICE, by=asker)
        assert ask_report(task=task, choice=CHOICE, by=asker) == first
    assert len(callbacks) == 1
    run_reports()
    with django_capture_on_commit_callbacks() as callbacks:
        assert ask_report(task=task, choice=CHOICE, by=asker) == first
    assert len(callbacks) == 1


def test_asking_is_refused_while_as_many_choices_wait(task: Task, asker: User) -> None:
    for number in range(MOST_WAITING):
        ask_report(task=task, choice=Choice((), (f"T{number}",)), by=make_user())
    with pytest.raises(InputError, match="Try again in a minute"):
        ask_report(task=task, choice=CHOICE, by=asker)
    ask_report(task=task, choice=Choice(), by=asker)  # the whole report is always allowed


def test_worker_computes_the_requested_report_and_its_progress(task: Task, asker: User) -> None:
    progress = ask_report(task=task, choice=CHOICE, by=asker)
    run_reports()
    progress.refresh_from_db()
    assert progress.ended_at is not None
    assert progress.done_count == progress.section_count > 0
    assert find_report(task=task, choice=CHOICE) == Report.objects.get()


def test_progress_names_what_is_wrong_until_that_changes(task: Task, asker: User) -> None:
    make_qrels(task, name="other scale", kind=QrelsKind.MODEL, grades={("T1", "D1"): 7})
    ask_report(task=task, choice=CHOICE, by=asker)
    run_reports()
    found = find_report(task=task, choice=CHOICE)
    assert isinstance(found, ReportProgress)
    assert "other scale: 1 of 1 grade are not on people's scale" in found.problem
    make_qrels(task, name="other scale", version=2, kind=QrelsKind.MODEL, grades={("T1", "D1"): 1})
    assert find_report(task=task, choice=CHOICE) is None
