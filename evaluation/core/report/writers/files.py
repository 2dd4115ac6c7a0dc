"""Render a report as files: tables (CSV, JSON, LaTeX), figures (SVG), the methods text, findings.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.core.errors import InputError
from evaluation.core.figures.svg.charts import standalone
from evaluation.core.figures.svg.pdf import pdf_of
from evaluation.core.report.writers.stored import rounded, to_json
from evaluation.core.report.writers.tables import WRITERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.tables import Findings


class FolderNotWritable(InputError):
    """The files of a report cannot be written to the folder."""


def report_files(report: Findings) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file."""
    for table in report.tables():
        for ending, write in WRITERS.items():
            yield f"tables/{table.name}.{ending}", write(table, report.basis)
    for figure in report.figures():
        yield f"figures/{figure.name}.svg", standalone(figure.svg)
    yield "methods.txt", methods_text(report)
    yield "findings.json", json.dumps(rounded(to_json(report)), ensure_ascii=False, indent=1) + "\n"


def write_report(report: Findings, folder: str | Path, *, pdf: bool = False) -> list[Path]:
    """Write every table as CSV, JSON and LaTeX, every figure as SVG, methods.txt and findings.json.

    ``pdf`` also writes each figure as PDF (trackside[pdf]). Returns the files. Raises FolderNotWritable.
    """
    files = {name: text.encode() for name, text in report_files(report)}
    if pdf:
        files |= {f"figures/{figure.name}.pdf": pdf_of(figure.svg) for figure in report.figures()}
    paths = [Path(folder) / name for name in files]
    try:
        for path, content in zip(paths, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise FolderNotWritable(
            f"{error.filename or folder}: {error.strerror}. Name another folder."
        ) from error
    return paths


def methods_text(report: Findings) -> str:
    """Return the methods paragraph for a paper, and the basis line of the report."""
    (methods,) = [section for section in report.sections if section.name == "methods"]
    return " ".join(methods.says) + "\n\n" + report.basis + "\n"
