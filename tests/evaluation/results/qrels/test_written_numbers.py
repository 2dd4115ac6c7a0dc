"""A scale whose grades have other numbers in files: TREC's -2 for junk, 0 and 1."""

from math import log2

import pytest
from django.test import Client

from evaluation.models import Criteria, ImportKind, MeasureValue, Phase, Qrels, Task
from evaluation.results.values.actions import score_runs
from evaluation.results.values.leaders import find_leaders
from evaluation.running.hosting.verify import changed_qrels
from evaluation.tracks.actions import save_criteria
from tests.evaluation.organizing.imports.importing import add_import, try_import
from tests.factories import dates_of, make_organizer, make_run, make_task
from tests.refusals import refused
from tests.trackside.malformed_criteria import JUNK
from trackside.criteria import DEFAULT_GRADES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]

FILE = b"T1 0 D1 1\nT1 0 D2 -2\nT1 0 D3 0\n"


@pytest.fixture
def task() -> Task:
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=4)
    save_criteria(task=task, grades=JUNK, instructions="", level=2)
    make_run(task, tag="run", results={"T1": ["D2", "D3", "D1", "D4"]})
    return task


def imported(task: Task, content: bytes = FILE) -> Qrels:
    add_import(try_import(task, ImportKind.QRELS, content, name="nist", kind="human", source="TREC"))
    return task.qrels.latest("version")


def test_file_is_mapped_to_the_scale_and_written_back_byte_for_byte(task: Task, client: Client) -> None:
    qrels = imported(task, FILE + b"T1 0 D4 -1\n")
    grades = dict(qrels.pairs.values_list("docno", "grade"))
    assert grades == {"D1": 2, "D2": 0, "D3": 1, "D4": None}  # -1 is no grade of this scale: not judged
    client.force_login(make_organizer(task.track))
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/qrels/{qrels.pk}.qrels"
    assert b"".join(client.get(address)) == FILE
    assert list(changed_qrels()) == []


def test_junk_has_no_gain_and_is_judged(task: Task) -> None:
    """The relevant document is third: nDCG is 1/log2(4) to 1/log2(2). Three of four results are judged."""
    imported(task)
    score_runs(task=task)
    means = dict(MeasureValue.objects.values_list("measure", "mean"))
    assert means["nDCG(1=0,2=1)@10"] == pytest.approx((1 / log2(4)) / (1 / log2(2)))
    assert means["AP(rel=2)"] == pytest.approx(1 / 3)
    assert means["Judged@5"] == pytest.approx(3 / 5)
    assert "nDCG@10" not in means


def test_leaders_are_by_the_measure_with_the_gains(task: Task) -> None:
    imported(task)
    score_runs(task=task)
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    task.refresh_from_db()
    (leaders,) = find_leaders([task], make_organizer(task.track)).values()
    assert leaders.measure == "nDCG(1=0,2=1)@10"
    assert leaders.best[0].mean == pytest.approx(0.5)


def test_number_of_a_published_grade_stays(task: Task) -> None:
    """A file that somebody has keeps its bytes and its hash."""
    imported(task)
    changed = [dict(JUNK[0], written=-1), *JUNK[1:]]
    with refused("grade-published"):
        save_criteria(task=task, grades=changed, instructions="", level=2)
    with refused("grade-published"):
        save_criteria(task=task, grades=DEFAULT_GRADES, instructions="", level=2)
    renamed = [dict(JUNK[0], name="Spam"), *JUNK[1:]]
    save_criteria(task=task, grades=renamed, instructions="", level=2)
    assert Criteria.objects.current(task).words == renamed


def test_relevance_begins_above_the_grades_without_gain(task: Task) -> None:
    with refused("level-off-scale"):
        save_criteria(task=task, grades=JUNK, instructions="", level=1)
