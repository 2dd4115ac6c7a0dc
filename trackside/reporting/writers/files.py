"""Render a report as files: tables, figures, texts to paste, findings.json."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from trackside.errors import InputError
from trackside.figures.svg.charts import pdf_of, standalone
from trackside.reporting.findings import Findings
from trackside.reporting.tables import Figure
from trackside.reporting.views.first_page import FirstPage, first_page
from trackside.reporting.views.uses import UseRow
from trackside.reporting.writers.stored import findings_json, rounded
from trackside.reporting.writers.tables import WRITERS
from trackside.text.latex import booktabs


def report_files(report: Findings, *, formats: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file; ``formats`` (json, tex) are forms of the tables besides CSV."""
    if unknown := [name for name in formats if name not in WRITERS]:
        raise InputError(f"{unknown[0]}: no format of tables. Give one of {', '.join(WRITERS)}.")
    page = first_page(report)
    yield "paragraph.txt", f"{page.paragraph}\n"
    yield "judges.tex", latex_table(page)
    yield "methods.txt", methods_text(report)
    yield "findings.json", json.dumps(rounded(findings_json(report)), ensure_ascii=False, indent=1) + "\n"
    for table in report.tables():
        for form in dict.fromkeys(("csv", *formats)):
            yield f"tables/{table.name}.{form}", WRITERS[form](table, report.facts.basis)
    for figure in _figures(report):
        yield f"figures/{figure.name}.svg", standalone(figure.svg)


def write_report(
    report: Findings, folder: str | Path, *, formats: Sequence[str] = (), pdf: bool = False
) -> list[Path]:
    """Write tables as CSV, figures as SVG, paragraph.txt, judges.tex, methods.txt and findings.json.

    Figures are those of the first measure and family. ``formats`` adds json or tex of each table,
    ``pdf`` each figure as PDF (trackside[pdf]). Returns the files. Raises InputError.
    """
    files = {name: text.encode() for name, text in report_files(report, formats=formats)}
    if pdf:
        files |= {f"figures/{figure.name}.pdf": pdf_of(figure.svg) for figure in _figures(report)}
    paths = [Path(folder) / name for name in files]
    try:
        for path, content in zip(paths, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise InputError(f"{error.filename or folder}: {error.strerror}. Name another folder.") from error
    return paths


def _figures(report: Findings) -> list[Figure]:
    """The figures of the first measure and family, and those of none."""
    facts = report.facts
    measures, families = ("", facts.measures[0]), ("", *facts.families[:1])
    return [figure for figure in report.figures() if figure.measure in measures and figure.family in families]


def methods_text(report: Findings) -> str:
    """Return the methods paragraph for a paper, and the basis line of the report."""
    says = [words for section in report.sections if section.name == "methods" for words in section.says]
    return "\n\n".join(filter(None, (" ".join(says), report.facts.basis))) + "\n"


def latex_table(page: FirstPage) -> str:
    """The table of uses in LaTeX: a word and the numbers of each use; of second assessors the numbers."""
    header = ["grades from", *(head.title for head in page.heads)]
    rows = [[row.name, *_cells(row)] for row in (*page.yardsticks, *page.judges)]
    margins = "; ".join(f"{head.title}: {head.margin}" for head in page.heads)
    comment = f"By {page.measure}. {margins}."
    return "\n".join(booktabs([header, *rows], "l" + "p{30mm}" * len(page.heads), comment=comment)) + "\n"


def _cells(row: UseRow) -> list[str]:
    if row.whole:
        return [row.whole, *("" for _ in row.cells[1:])]
    return [f"{f'{cell.word}: ' * bool(cell.word)}{cell.says}" for cell in row.cells]
