"""The examples of docs/extending.md do what it says."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from django.template.loader import get_template
from django.urls import resolve, reverse

from evaluation.core.measures import families
from judges.jobs.starting import start_job
from judges.models import JobState
from judges.registry import BACKENDS
from tests.documents.markdown import document
from tests.evaluation.core import test_measures
from tests.factories import make_document, make_image, make_pool, make_task, make_topic
from tests.judges.factories import make_judge, run_to_end

if TYPE_CHECKING:
    from tests.documents.markdown import Document

RECIPES = "docs/extending.md"


def example(name: str) -> str:
    """The one Python block that is marked with the name."""
    shown: Document = document(RECIPES)
    (block,) = [block for block in shown.blocks("python") if block.marks[1:] == (name,)]
    return "from __future__ import annotations\n" + block.text


def test_measure_has_the_values_of_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    function: dict[str, Any] = {"np": np}
    exec(example("measure"), function)
    names = {"counts": SimpleNamespace(**function), "Family": families.Family, "Cut": families.Cut}
    row = eval(example("row").partition("\n")[2], names)
    monkeypatch.setitem(families.BY_NAME, row.name.lower(), row)
    shown: dict[str, Any] = {"value": test_measures.value, "falling": test_measures.falling}
    exec(example("test"), shown)
    (test,) = [each for name, each in shown.items() if name.startswith("test_")]
    test()


@pytest.mark.whole
@pytest.mark.django_db
def test_judge_scores_pairs_by_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("word_count")
    exec(example("judge"), vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(BACKENDS, "word_count", "word_count:WordCount")
    task = make_task()
    make_document(task.collection, docno="D1", image=make_image())
    for number, title in (("T1", "barns"), ("T2", "red barns on a hill")):
        make_topic(task, number=number, fields=[["page_title", title]])
    pool = make_pool(task, pairs=[("T1", "D1"), ("T2", "D1")])
    judge = make_judge(backend="word_count", prompt="{page_title} {image}", answer="relevance-1-100")
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    assert job.state == JobState.COMPLETED
    assert list(job.calls.of_pool().order_by("topic").values_list("raw_score", flat=True)) == [1, 5]


def test_run_list_is_one_name_in_url_view_and_template() -> None:
    address = reverse("run_list", args=["track", "task"])
    assert resolve(address).func.__name__ == "run_list"
    assert get_template("evaluation/runs/run_list.html")
