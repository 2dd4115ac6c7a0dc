"""The examples of docs/extending.md work as described."""

import doctest
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.http import HttpResponse
from django.template import engines
from django.test import Client
from django.urls import resolve, reverse

from judges.jobs.starting import start_job
from judges.models import JobState
from tests.documents.markdown import ROOT, Document, document
from tests.evaluation.submissions.runs.test_run_list import address_of
from tests.factories import make_blob, make_document, make_image, make_pool, make_run, make_task, make_topic
from tests.judges.factories import make_judge, run_to_end
from tests.trackside.measuring.measured_runs import falling, value
from tests.trackside.reporting.study import small_study
from tests.trackside.reporting.two_runs import rows_of
from trackside.backends.registry import BACKENDS
from trackside.measuring import families
from trackside.measuring.family import Cut, MeasureFamily
from trackside.reporting.study import PEOPLE
from trackside.reporting.tables import Column, Section, table_of

RECIPES = "docs/extending.md"


def example(name: str) -> str:
    """The one Python block that is marked with the name."""
    shown: Document = document(RECIPES)
    (block,) = [block for block in shown.blocks("python") if block.marks[1:] == tuple(name.split())]
    return "from __future__ import annotations\n" + block.text


def test_measure_has_the_values_of_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    function: dict[str, Any] = {"np": np}
    exec(example("measure"), function)
    names = {
        "counts": SimpleNamespace(**function),
        "MeasureFamily": MeasureFamily,
        "Cut": Cut,
        "HAND": families.HAND,
    }
    row = eval(example("row").partition("\n")[2], names)
    monkeypatch.setitem(families.BY_NAME, row.name.lower(), row)
    shown: dict[str, Any] = {"value": value, "falling": falling}
    exec(example("test"), shown)
    (test,) = [each for name, each in shown.items() if name.startswith("test_")]
    test()


def test_section_has_the_rows_of_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"PEOPLE": PEOPLE, "Column": Column, "Section": Section, "table_of": table_of}
    names |= {"small_study": small_study, "rows_of": rows_of}
    exec(example("section"), names)
    exec(example("section test"), names)
    monkeypatch.setattr("trackside.reporting.build.SECTIONS", (names["gaps_section"],))
    names["test_gaps_are_counted"]()


def function_judge() -> str:
    """The judge of one function in docs/library.md."""
    session = doctest.DocTestParser().get_examples((ROOT / "docs/library.md").read_text())
    place = next(at for at, shown in enumerate(session) if "import judge\n" in shown.source)
    return "".join(shown.source for shown in session[place : place + 2])


@pytest.mark.whole
@pytest.mark.django_db
@pytest.mark.parametrize("name", ["WordCount", "word_count"])
def test_judge_scores_pairs_by_their_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("words")
    exec(example("judge") if name == "WordCount" else function_judge(), vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(BACKENDS, "word_count", f"words:{name}")
    task = make_task()
    make_document(task.collection, docno="D1", image=make_image())
    for number, title in (("T1", "barns"), ("T2", "red barns on a hill")):
        make_topic(task, number=number, fields=[["page_title", title]])
    pool = make_pool(task, pairs=[("T1", "D1"), ("T2", "D1")])
    judge = make_judge(backend="word_count", prompt="{page_title} {image}", answer="relevance-1-100")
    job = run_to_end(start_job(judge=judge, pool=pool, by=pool.created_by))
    assert job.state == JobState.COMPLETED
    assert list(job.calls.of_pool().order_by("topic").values_list("raw_score", flat=True)) == [1, 5]


@pytest.mark.django_db
def test_column_is_shown_by_its_test(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = reverse("run_list", args=["track", "task"])
    assert resolve(address).func.__name__ == "run_list"
    source = (ROOT / "templates/evaluation/runs/run_list.html").read_text()
    for block, before in zip(
        document(RECIPES).blocks("html"),
        (
            '<th scope="col" class="n" role="columnheader">Received',
            '<td class="n" role="cell" data-l="Received"',
        ),
        strict=True,
    ):
        assert source.count(before) == 1
        source = source.replace(before, block.text + before)
    changed = engines["django"].from_string(source)
    monkeypatch.setattr(
        "evaluation.organizing.pages.runs.render",
        lambda request, _, context: HttpResponse(changed.render(context, request)),
    )
    test: dict[str, Any] = {"make_run": make_run, "make_blob": make_blob, "address_of": address_of}
    exec(example("column"), test)
    test["test_run_list_has_the_size_of_each_file"](client)
