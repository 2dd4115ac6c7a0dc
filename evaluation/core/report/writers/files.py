"""Render a report as files: tables (CSV, JSON, LaTeX), figures (SVG), the methods text, findings.json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from evaluation.core.figures.svg.charts import standalone
from evaluation.core.report.writers.stored import rounded, to_json
from evaluation.core.report.writers.tables import WRITERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.findings import Findings


def report_files(report: Findings) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file."""
    for table in report.tables():
        for ending, write in WRITERS.items():
            yield f"tables/{table.name}.{ending}", write(table, report.basis)
    for figure in report.figures():
        yield f"figures/{figure.name}.svg", standalone(figure.svg)
    yield "methods.txt", methods_text(report)
    yield "findings.json", json.dumps(rounded(to_json(report)), ensure_ascii=False, indent=1) + "\n"


def methods_text(report: Findings) -> str:
    """Return the methods paragraph for a paper, and the basis line of the report."""
    (methods,) = [section for section in report.sections if section.name == "methods"]
    return " ".join(methods.says) + "\n\n" + report.basis + "\n"
