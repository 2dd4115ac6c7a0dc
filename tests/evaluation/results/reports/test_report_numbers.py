"""Every number on a report's pages is one of its findings; every table and figure has a page."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, QrelsKind, Report, Task
from evaluation.results.reports.actions import compute_report
from tests.factories import make_family, make_qrels, make_run, make_task, make_team
from trackside.reporting.views.first_page import first_page
from trackside.reporting.writers.stored import from_json
from trackside.statistics.estimate import Number

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

TOPICS, DOCUMENTS = 12, 12
CELLS = ("td", "b", "small", "h1")


class _Cells(HTMLParser):
    """Texts of the cells and of the findings at the head, each small print by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.is_in = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in CELLS:
            self._end()
            self.is_in = tag
        elif tag in ("th", "svg", "title", "desc", "form", "summary"):
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if tag in CELLS:
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
    sections = {
        section["name"]: f"{first}sections/{section['name']}/"
        for section in Report.objects.get(task=task).sections
    }
    return {"first": first, "whole": f"{first}whole/", "file": f"{first}report.html"} | sections


def test_every_number_on_every_page_is_in_the_findings(client: Client, task: Task) -> None:
    known = _texts(Report.objects.get(task=task))
    for name, address in _pages(task).items():
        page = client.get(address).content.decode()
        parser = _Cells()
        parser.feed(page[page.index("<main") : page.index("</main>")])
        shown = [text for text in parser.texts if re.search(r"\d", text)]
        assert [text for text in shown if text not in known] == [], name
        assert len(shown) >= (8 if name in ("first", "whole", "file") else 0)


def test_every_table_and_figure_has_a_page_and_is_on_the_whole_one(client: Client, task: Task) -> None:
    report = Report.objects.get(task=task)
    facts = report.summary.facts
    measure, family = facts.measures[0], facts.families[0]
    pages = {name: client.get(address).content.decode() for name, address in _pages(task).items()}
    for section in from_json(report.stored).sections:
        page = pages[section.name]
        for figure in section.figures:
            if figure.measure in ("", measure) and figure.family in ("", family):
                for content in (page, pages["whole"], pages["file"]):
                    assert content.count(f'id="{figure.name}-title"') == 1, figure.name
                assert f"figures/{figure.name}.svg" in page
                assert f"figures/{figure.name}.pdf" in page
        for table in section.tables:
            if table.where(measure=measure, family=family).rows:
                assert f'id="table-{table.name}"' in page, table.name
                assert f"tables/{table.name}.csv" in page
                assert f'id="table-{table.name}"' in pages["whole"]


def _texts(report: Report) -> set[str]:
    """Everything that a page may show of the findings."""
    found = from_json(json.loads(json.dumps(report.stored)))
    page = first_page(found)
    known = {page.lead, page.paragraph, page.limit}
    for row in (*page.yardsticks, *page.judges):
        known |= {row.graded, row.whole, *(cell.says for cell in row.cells)}
    known |= {part for head in page.heads for part in (head.margin, head.level)}
    for judge in found.judges:
        known |= {str(grade) for pair in judge.differs.pairs for grade in (pair.people, pair.judge)}
    for table in found.tables():
        for record in table.rows:
            for column, cell in zip(table.columns, record, strict=True):
                known.add(column.text(cell))
                if isinstance(cell, Number) and cell.value is not None:
                    known.add(column.text(Number(cell.value)))
                    if cell.low is not None:
                        low, high = (column.text(Number(end)) for end in (cell.low, cell.high))
                        known.add(f"{low} to {high}")
    return {" ".join(text.split()) for text in known}
