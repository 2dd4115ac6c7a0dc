"""Every number and verdict on the report's page is in findings.json: the page computes nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from evaluation.core.report.tables import Conclusion, Number
from evaluation.core.report.writers.stored import from_json
from evaluation.models import Phase, QrelsKind, Report, Task
from evaluation.reports.actions import compute_report
from evaluation.reports.judges import LABELS
from tests.factories import make_family, make_qrels, make_run, make_task, make_team

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell, Column

pytestmark = pytest.mark.django_db

TOPICS, DOCUMENTS = 10, 12


class _Cells(HTMLParser):
    """Texts of table cells and of the findings at the head, each small print by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.is_in = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "b", "small", "h1"):
            self._end()
            self.is_in = tag
        elif tag in ("th", "svg", "title", "desc", "form"):
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "b", "small", "h1"):
            self._end()

    def handle_data(self, data: str) -> None:
        if self.is_in:
            self.text += data

    def _end(self) -> None:
        if self.is_in and self.text.strip():
            self.texts.append(" ".join(self.text.split()))
        self.is_in, self.text = "", ""


@pytest.fixture
def task() -> Task:
    """Four runs of three teams, people and a model that grades at random now and then."""
    rng = np.random.default_rng(3)
    task = make_task(phase=Phase.RELEASED, topic_count=TOPICS, document_count=DOCUMENTS)
    teams, family = [make_team(task.track) for _ in range(3)], make_family(task)
    docnos = [f"D{number}" for number in range(1, DOCUMENTS + 1)]
    topics = [f"T{number}" for number in range(1, TOPICS + 1)]
    for place, tag in enumerate("abcd"):
        results = {topic: rng.permutation(docnos).tolist() for topic in topics}
        run = make_run(task, tag=tag, team=teams[place % 3], results=results)
        if place < 2:
            run.families.add(family)
    grades = {(topic, docno): int(rng.integers(0, 3)) for topic in topics for docno in docnos}
    make_qrels(task, name="people", grades=dict(grades))
    judged = {
        pair: int(rng.integers(0, 3)) if rng.random() < 0.4 else grade for pair, grade in grades.items()
    }
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=judged)
    assert compute_report(task=task)
    return task


def _pages(task: Task) -> dict[str, str]:
    """Addresses of the first page, of every section, of the whole and of the file."""
    first = reverse("report_detail", args=[task.track.slug, task.slug])
    names = Report.objects.filter(task=task).section_names()
    sections = {name: f"{first}sections/{name}/" for name in names if name != "in-short"}
    return {"first": first, "whole": f"{first}whole/", "file": f"{first}report.html"} | sections


def test_every_number_on_every_page_is_in_the_findings(client: Client, task: Task) -> None:
    stored = json.loads(json.dumps(Report.objects.get(task=task).stored))
    known = _texts(stored)
    counts = {}
    for name, address in _pages(task).items():
        page = client.get(address).content.decode()
        parser = _Cells()
        parser.feed(page[page.index("<main") : page.index("</main>")])
        shown = [text for text in parser.texts if re.search(r"\d", text) or _is_verdict(text)]
        assert [text for text in shown if text not in known] == [], name
        counts[name] = len(shown)
    assert counts["first"] >= 12
    assert counts["whole"] == counts["file"] > 300
    in_sections = sum(count for name, count in counts.items() if name not in ("first", "whole", "file"))
    # The whole has what the first page has and what the sections have; the run table is in one section.
    assert in_sections + counts["first"] == counts["whole"]


def test_every_table_and_figure_has_a_page_and_is_on_the_whole_one(client: Client, task: Task) -> None:
    report = Report.objects.get(task=task)
    measure, family = report.facts["measures"][0], report.facts["families"][0]
    pages = {name: client.get(address).content.decode() for name, address in _pages(task).items()}
    found = from_json(report.stored)
    for section in found.sections:
        page = pages["first" if section.name == "in-short" else section.name]
        for figure in section.figures:
            if figure.measure in ("", measure) and figure.family in ("", family):
                for each in (page, pages["whole"], pages["file"]):
                    assert each.count(f'id="{figure.name}-title"') == 1, figure.name
                assert f"figures/{figure.name}.svg" in page
                assert f"figures/{figure.name}.pdf" in page
        for table in section.tables if section.name != "in-short" else ():
            if table.where(measure=measure, family=family).rows:
                assert f'id="table-{table.name}"' in page, table.name
                assert f"tables/{table.name}.csv" in page
                assert f'id="table-{table.name}"' in pages["whole"]


def _is_verdict(text: str) -> bool:
    return "cannot" in text or "favour" in text


def _texts(stored: dict[str, object]) -> set[str]:
    """Everything that a page may show of the cells of findings.json."""
    found = from_json(stored)
    known = {figure.title for figure in found.figures()}
    for table in found.tables():
        for record in table.rows:
            cells = dict(zip((column.name for column in table.columns), record, strict=True))
            if {"topics", "items"} <= cells.keys():
                known.add(f"{cells['topics']:,} topics, {cells['items']:,} items")
                known |= {f"none, {cells['topics']:,} topics", "none"}
            for column, cell in zip(table.columns, record, strict=True):
                known |= _of_cell(column, cell)
    return known


def _of_cell(column: Column, cell: Cell) -> set[str]:
    texts = {column.text(cell)}
    if isinstance(cell, Conclusion):
        texts.add(LABELS[cell.outcome][1] if cell.outcome in LABELS else cell.words)
    if isinstance(cell, Number) and cell.value is not None:
        texts.add(column.text(Number(cell.value)))
        if cell.missing:
            texts |= {f"none: {cell.missing.words}", f"no interval: {cell.missing.words}"}
        elif cell.low is not None:
            low, high = (column.text(Number(end)) for end in (cell.low, cell.high))
            texts.add(f"{low} to {high}")
    return {" ".join(text.split()) for text in texts}
