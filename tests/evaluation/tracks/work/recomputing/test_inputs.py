"""Whatever changes the hash of a report's inputs queues its computation, and nothing else does."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Max
from django.test.utils import CaptureQueriesContext

from evaluation.models import (
    Criteria,
    Family,
    Phase,
    Pool,
    QrelsKind,
    Report,
    ReportProgress,
    Run,
    RunState,
    Scoring,
    Task,
    Team,
    Topic,
)
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from evaluation.results.reports.actions import ask_outdated, compute_report, find_report
from evaluation.results.reports.inputs import gather_inputs
from evaluation.results.reports.packing import bundle_report
from evaluation.submissions.pools.actions import build_pool, freeze_pairs
from evaluation.submissions.runs.checking import check_run
from evaluation.submissions.runs.editing import withdraw_run
from evaluation.tasks import run_reports
from evaluation.tracks.actions import save_criteria
from evaluation.tracks.work.recomputing.actions import INPUTS
from tests.factories import (
    GRADES,
    make_family,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_topic,
)
from trackside.findings.provenance import PeopleProvenance
from trackside.reporting.design import Choice

pytestmark = pytest.mark.django_db

RESULTS = {f"T{number}": ["D1", "D2"] for number in range(1, 5)}


@pytest.fixture
def task() -> Task:
    """Two runs, one with a family, judged by people on four topics, and nothing queued."""
    task = make_task(phase=Phase.JUDGING, topic_count=4, document_count=2)
    make_run(task, tag="a", results=RESULTS).families.add(make_family(task, name="CLIP-based"))
    make_run(task, tag="b", results=RESULTS)
    make_qrels(task, name="people", grades={(topic, "D1"): 1 for topic in RESULTS})
    assert compute_report(task=task)
    unqueue()
    return task


def unqueue() -> None:
    for model in (ReportProgress, Scoring):
        model.objects.update(queued_at=None)


def hash_of(task: Task) -> str:
    inputs = gather_inputs(task=task, choice=Choice())
    assert inputs
    return inputs.sha256


def save(row: Task | Team | Family | Run | Criteria, **fields: object) -> object:
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()
    return row


def judged_again(task: Task) -> None:
    save_criteria(
        task=task,
        grades=[*GRADES, {"grade": 3, "name": "Perfect", "text": "No better one."}],
        instructions="",
        level=task.relevance_level,
    )


def publish(task: Task, name: str, kind: QrelsKind) -> None:
    publish_qrels(
        task=task,
        name=name,
        kind=kind,
        pairs=[GradedPair("T1", "D1", 2, None, "ok")],
        provenance=PeopleProvenance(),
        by=make_organizer(task.track),
        pool=make_pool(task) if kind == QrelsKind.MODEL else None,
    )


# By the table and the column of INPUTS; every pair has one.
CHANGES: dict[str, Callable[[Task], object]] = {
    "task relevance_level": lambda task: save(task, relevance_level=2),
    "task measures": lambda task: save(task, measures=["P@5"]),
    "criteria grades": judged_again,
    "team name": lambda task: save(task.runs.get(tag="a").team, name="Renamed"),
    "family name": lambda task: save(task.families.get(), name="Encoders"),
    "run state": lambda task: withdraw_run(
        run=task.runs.get(tag="b"), by=make_organizer(task.track), reason="A fault."
    ),
    "run tag": lambda task: save(task.runs.get(tag="b"), tag="c"),
    "run type": lambda task: save(task.runs.get(tag="a"), type="manual"),
    "run backbone": lambda task: save(task.runs.get(tag="a"), backbone="CLIP"),
    "qrels sha256": lambda task: publish(task, "second", QrelsKind.SECOND),
    "pool kind": lambda task: build_pool(task=task, name="depth", seed=1, by=make_organizer(task.track)),
}
OTHER_CHANGES: dict[str, Callable[[Task], object]] = {
    "a run is accepted": lambda task: check_run(
        run_id=make_run(task, state=RunState.RECEIVED, results=RESULTS).pk
    ),
    "a family is added to a run": lambda task: task.runs.get(tag="b").families.add(task.families.get()),
    "a run is added to a family": lambda task: task.families.get().runs.add(task.runs.get(tag="b")),
    "a family is removed": lambda task: task.families.get().runs.clear(),
    "a family is deleted": lambda task: task.families.get().delete(),
    "the qrels have a new version": lambda task: publish(task, "people", QrelsKind.HUMAN),
    "a model's qrels": lambda task: publish(task, "clip", QrelsKind.MODEL),
}
NO_CHANGES: dict[str, Callable[[Task], object]] = {
    "saved as it was": lambda task: [
        save(row) for row in (task, *task.runs.all(), *Team.objects.all(), task.families.get())
    ],
    "the grace and the name of the task": lambda task: save(task, grace=timedelta(1), name="Other"),
    "texts of the scale": lambda task: save_criteria(task=task, grades=GRADES, instructions="New.", level=1),
    "a topic": lambda task: make_topic(task, number="T9"),
    "another team and family": lambda task: (make_team(task.track), make_family(task)),
    "another upload": lambda task: save(make_run(task, state=RunState.RECEIVED)),
    "a rejected run": lambda task: save(make_run(task, state=RunState.REJECTED)),
    "description of a run": lambda task: save(task.runs.get(tag="a"), description="Longer."),
    "flagged pairs": lambda task: freeze_pairs(
        task=task, name="check", pairs=[("T1", "D1")], reason={}, seed=1, by=make_organizer(task.track)
    ),
    "another task": lambda _: publish(make_task(phase=Phase.JUDGING), "people", QrelsKind.HUMAN),
}


def test_each_input_has_a_change() -> None:
    assert list(CHANGES) == [f"{each.model} {column}" for each in INPUTS for column in each.columns]


@pytest.mark.parametrize("change", [*CHANGES, *OTHER_CHANGES])
def test_change_of_an_input_changes_the_hash_and_queues_the_work(task: Task, change: str) -> None:
    before = hash_of(task)
    (CHANGES | OTHER_CHANGES)[change](task)
    assert hash_of(Task.objects.get(pk=task.pk)) != before
    assert [row.task for row in Scoring.objects.waiting()] == [task]
    assert [row.task for row in ReportProgress.objects.waiting()] == [task]


@pytest.mark.parametrize("change", NO_CHANGES)
def test_other_changes_queue_nothing(task: Task, change: str) -> None:
    before = hash_of(task)
    NO_CHANGES[change](task)
    assert hash_of(Task.objects.get(pk=task.pk)) == before
    assert not ReportProgress.objects.waiting().filter(task=task).exists()


def test_report_reads_the_tables_of_its_inputs_and_no_others(task: Task) -> None:
    with CaptureQueriesContext(connection) as queries:
        hash_of(task)
    read = {table for query in queries for table in re.findall(r'(?:FROM|JOIN) "(\w+)"', query["sql"])}
    listed = {apps.get_model("evaluation", each.model)._meta.db_table for each in INPUTS}
    frozen = {Topic._meta.db_table}  # by a trigger, once qrels have them
    through = {Run.families.through._meta.db_table, apps.get_model("evaluation.poolrun")._meta.db_table}
    assert read <= listed | frozen | through
    assert len(read) > 6


def test_bundle_can_be_packed_after_a_pool_was_frozen(task: Task, tmp_path: Path) -> None:
    build_pool(task=task, name="depth", seed=1, by=make_organizer(task.track))
    run_reports()
    report = Report.objects.get(computed_at=Report.objects.aggregate(at=Max("computed_at"))["at"])
    with (tmp_path / "bundle.zip").open("wb") as target:
        bundle_report(report=report, target=target)
    assert Pool.objects.count() == 1


def test_new_code_queues_the_reports_of_all_but_archived_tracks(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_outdated()
    assert not ReportProgress.objects.waiting().exists()
    monkeypatch.setattr("evaluation.results.reports.inputs.code_version", lambda: "9.9")
    ask_outdated()
    assert ReportProgress.objects.waiting().get().task == task
    run_reports()
    assert find_report(task=task, choice=Choice())
    ask_outdated()
    assert not ReportProgress.objects.waiting().exists()
