"""Every sentence form of a report's sections appears in one of these reports, and is absent from another.

Forms are read from the code: the texts of the functions that write sentences. A new form fails until a report
here makes it appear and one makes it vanish.
"""

import ast
import json
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.trackside.reporting.sections.test_studies import STUDIES
from tests.trackside.reporting.study import Grades, graded_set
from trackside.files import Rankings
from trackside.findings.plain import to_plain
from trackside.reporting.build import build_report
from trackside.reporting.design import Design, ReportRun
from trackside.reporting.findings import Findings
from trackside.reporting.sections import differences, guardrails, methods, pool
from trackside.reporting.sections import families as families_section
from trackside.reporting.sections import grades as grades_section
from trackside.reporting.sections import order as order_section
from trackside.reporting.sections import paper as paper_section
from trackside.reporting.study import study_of

SECTIONS = (
    order_section,
    grades_section,
    families_section,
    differences,
    methods,
    guardrails,
    pool,
    paper_section,
)
ALWAYS = (methods, pool)  # how every report was made
LETTERS = 7  # of a form; shorter texts are joints


def texts_of(node: ast.AST) -> Iterator[str]:
    """The texts in a function, without its docstring, formats and messages of errors."""
    if isinstance(node, ast.FormattedValue):
        yield from texts_of(node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Raise):
        body = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            body.remove(node.body[0])
        for child in body:
            yield from texts_of(child)


def forms(module: ModuleType) -> list[str]:
    """The texts with words in the functions of a module."""
    tree = ast.parse(Path(str(module.__file__)).read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = dict.fromkeys(text for function in functions for text in texts_of(function))
    return [text for text in found if sum(map(str.isalpha, text)) >= LETTERS and " " in text]


def behind(report: Findings) -> dict[str, str]:
    """All texts of the sections by their modules' names."""
    texts = {section.name: _json(section) for section in report.sections}
    cautions = [table for table in report.tables() if table.name == "guardrails"]
    says = [section.says for section in report.sections if section.name == "methods"]
    return texts | {"pool": texts["methods"], "guardrails": _json([cautions, says])}


def _json(value: object) -> str:
    return unescape(json.dumps(to_plain(value), ensure_ascii=False))


@cache
def of_studies() -> list[dict[str, str]]:
    """What the sections of reports of studies print, with and without grades of models."""
    return [behind(build_report(study, code_version="1")) for study in studies()]


TRUTH: Grades = {
    f"T{topic:02d}": {f"d{place}": (place + topic) % 3 for place in range(12)} for topic in range(26)
}
SHIFTED: Grades = {
    topic: {docno: min(2, grade + (place + int(docno[1:])) % 2) for docno, grade in own.items()}
    for place, (topic, own) in enumerate(TRUTH.items())
}
SAFE: dict[str, Any] = {
    "backbone": "llava",
    "mapping": {"rule": "paper-2024"},
    "prompt_version": 3,
    "susceptibility": [{"place": "text", "scene_count": 9, "shift": 0.2, "raised_count": 0, "gap_count": 0}],
}
FITTED = {"mapping": {"rule": "f1-cuts", "people": "people", "fitting_topics": ["T01", "T99"]}}
OF_SCORES = {"susceptibility": [SAFE["susceptibility"][0] | {"raised_count": None}]}
POOLED = {"pools": ("first", "second"), "assessors": {"a": 100}}


def study(
    depths: tuple[int | None, ...] = (10,) * 6,
    *,
    judge: Grades = TRUTH,
    provenance: dict[str, Any] = SAFE,
    people: Grades = TRUTH,
    **design: Any,
) -> Any:
    """Six runs of as many teams on 26 topics with a second assessor: no caution is due."""
    runs = [
        ReportRun(f"r{at}", f"t{at}", ("A",) if at % 2 else (), backbone="bm25", pool_depth=depth)
        for at, depth in enumerate(depths)
    ]
    rankings = [
        Rankings.from_dict(
            {
                topic: {docno: (at + place) % 7 for place, docno in enumerate(own)}
                for topic, own in TRUTH.items()
            },
            tag=run.tag,
        )
        for at, run in enumerate(runs)
    ]
    sets = [
        graded_set("people", people, "human", provenance=POOLED),
        graded_set("second", SHIFTED, "second"),
        graded_set("judge", judge, provenance=provenance),
    ]
    return study_of(Design((0, 1, 2), 1, ("nDCG@10", "AP"), replicates=20, **design), runs, rankings, sets)


def without_errors_to_end_the_excess() -> Any:
    """The judge grades as people do what runs of the family retrieved, and one result there higher."""
    topics = [f"T{at:02d}" for at in range(12)]
    people: Grades = {topic: {"a": 2, "b": 1, "n": 2, "m": 2} for topic in topics}
    people["T00"]["a2"] = 1
    judge: Grades = {topic: own | {"n": 0, "m": at % 3} for at, (topic, own) in enumerate(people.items())}
    judge["T00"]["a2"] = 2
    retrieved = {"in": {"a": 2.0, "a2": 1.0}, "in too": {"a": 1.0}, "out": {"b": 1.0}, "out too": {"b": 1.0}}
    runs = [ReportRun(tag, tag, ("A",) if tag.startswith("in") else ()) for tag in retrieved]
    rankings = [Rankings.from_dict(dict.fromkeys(topics, own), tag=tag) for tag, own in retrieved.items()]
    sets = [graded_set("people", people, "human"), graded_set("judge", judge)]
    return study_of(Design((0, 1, 2), 1, ("nDCG@10",), replicates=20), runs, rankings, sets)


def studies() -> Iterator[Any]:
    """Studies with and without everything that a section speaks of."""
    yield from STUDIES.values()
    for depths in ((10,) * 6, (0,) * 6, (10, 20, 0, 10, 10, 10), (None, 10, 10, 10, 10, 10)):
        yield study(depths)
    for provenance in (FITTED, OF_SCORES, {"backbone": "bm25"}, {"backbone": ""}):
        yield study(provenance=SAFE | provenance)
    yield study(judge=SHIFTED)
    yield study(chosen="6 of 8 runs", strata={"difficulty": dict.fromkeys(TRUTH, "one")})
    yield study(people={topic: dict.fromkeys(own, -1) for topic, own in TRUTH.items()})
    yield without_errors_to_end_the_excess()


@pytest.mark.parametrize("module", SECTIONS, ids=lambda module: module.__name__)
def test_each_form_appears_in_a_report_and_vanishes_from_another(module: ModuleType) -> None:
    name = module.__name__.rpartition(".")[2]
    reports = [texts.get(name, "") for texts in of_studies()]
    found = {form: sum(form in report for report in reports) for form in forms(module)}
    assert [form for form, count in found.items() if not count] == []
    assert module in ALWAYS or max(found.values()) < len(reports)
