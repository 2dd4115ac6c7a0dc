"""Every number and verdict on the report's page stands in findings.json: the page computes nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.test import Client

from evaluation.core.report.findings import Number, Verdict
from evaluation.core.report.stored import from_json
from evaluation.models import Phase, QrelsKind, Report, Task
from evaluation.reports.actions import compute_report
from evaluation.reports.shown import LABELS
from tests.factories import make_family, make_qrels, make_run, make_task, make_team

if TYPE_CHECKING:
    from evaluation.core.report.findings import Cell, Column

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


def test_every_number_on_the_page_stands_in_the_findings(client: Client, task: Task) -> None:
    page = client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/report/").content.decode()
    parser = _Cells()
    parser.feed(page[page.index("<main") : page.index("</main>")])
    stored = json.loads(json.dumps(Report.objects.get(task=task).stored))
    known = _texts(stored)
    shown = [text for text in parser.texts if re.search(r"\d", text) or "cannot" in text or "favour" in text]
    assert len(shown) > 300
    assert [text for text in shown if text not in known] == []


def _texts(stored: dict[str, object]) -> set[str]:
    """Everything that a page may show of the cells of findings.json."""
    known: set[str] = set()
    for table in from_json(stored).tables():
        for record in table.rows:
            cells = dict(zip((column.name for column in table.columns), record, strict=True))
            if {"topics", "items"} <= cells.keys():
                known.add(f"{cells['topics']:,} topics, {cells['items']:,} items")
            for column, cell in zip(table.columns, record, strict=True):
                known |= _of_cell(column, cell)
    return known


def _of_cell(column: Column, cell: Cell) -> set[str]:
    texts = {column.text(cell)}
    if isinstance(cell, Verdict):
        texts.add(LABELS[cell.outcome][1] if cell.outcome in LABELS else cell.words)
    if isinstance(cell, Number) and cell.value is not None:
        texts.add(column.text(Number(cell.value)))
        if cell.missing:
            texts |= {f"none: {cell.missing.words}", f"no interval: {cell.missing.words}"}
        elif cell.low is not None:
            low, high = (column.text(Number(end)) for end in (cell.low, cell.high))
            texts.add(f"{low} to {high}")
    return {" ".join(text.split()) for text in texts}
