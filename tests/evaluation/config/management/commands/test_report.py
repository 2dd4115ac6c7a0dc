"""The command `report` prints the stored report, and computes it first if necessary."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from evaluation.models import QrelsKind, Report, Task
from tests.factories import make_family, make_qrels, make_run, make_task, make_track
from trackside.reporting.writers.stored import from_json

pytestmark = pytest.mark.django_db

PEOPLE = {("T1", "D1"): 2, ("T1", "D2"): 0, ("T1", "D3"): 1}
MODEL = {("T1", "D1"): 0, ("T1", "D2"): 2, ("T1", "D3"): 1}


@pytest.fixture(autouse=True)
def running_servers(settings: Settings) -> None:
    """The tests' servers run already, so the command starts none."""
    settings.HAS_EMBEDDED_DATABASE = settings.HAS_EMBEDDED_QUEUE = False


@pytest.fixture
def task() -> Task:
    """Two runs: people prefer the first, the model the second."""
    task = make_task(make_track(slug="clef-2026"), slug="suggestion", topic_count=1, document_count=3)
    first = make_run(task, tag="first", results={"T1": ["D1", "D3", "D2"]})
    make_run(task, tag="second", results={"T1": ["D2", "D3", "D1"]})
    first.families.add(make_family(task, name="CLIP-based"))
    make_qrels(task, name="people", grades=PEOPLE)
    return task


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("report", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("name", ["clef-2026/suggestion", "suggestion"])
def test_report_computes_and_prints_the_first_page_of_what_is_stored(task: Task, name: str) -> None:
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=MODEL)
    text = printed(name)
    (judge,) = from_json(Report.objects.get(task=task).stored).judges
    assert judge.order("nDCG@10").tau == -1  # the model reverses the two runs
    assert "– −1.00" in text
    assert len(text.splitlines()) <= 40


def test_report_follows_new_qrels(task: Task) -> None:
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=MODEL)
    printed("suggestion")
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=PEOPLE, version=2)
    assert "– 1.00" in printed("suggestion")


def test_all_prints_the_sections(task: Task) -> None:
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=MODEL)
    text = printed("suggestion", "--all")
    sections = from_json(Report.objects.get(task=task).stored).sections
    assert all(f"\n{section.title}\n" in text for section in sections)


def test_report_names_what_is_missing() -> None:
    bare = make_task()
    with pytest.raises(CommandError, match=r"nothing to report yet\. A report needs"):
        printed(f"{bare.track.slug}/{bare.slug}")


def test_report_of_an_unknown_task_names_those_there_are(task: Task) -> None:
    words = r"promotion is not a task\. Choose one of: clef-2026/suggestion\."
    with pytest.raises(CommandError, match=words):
        printed("promotion")


def test_report_asks_for_the_track_where_a_name_is_used_twice(task: Task) -> None:
    make_task(make_track(slug="clef-2025"), slug="suggestion")
    with pytest.raises(CommandError, match="suggestion is the name of several tasks"):
        printed("suggestion")


def test_report_refuses_a_family_it_does_not_have(task: Task) -> None:
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=MODEL)
    with pytest.raises(CommandError, match=r"no family dense\. Choose one of: CLIP-based\."):
        printed("suggestion", "--family", "dense")
