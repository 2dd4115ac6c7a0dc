"""Render a report as files: tables, figures, texts to paste, findings.json."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from trackside.errors import InputError
from trackside.figures.svg.charts import pdf_of, standalone
from trackside.reporting.findings import Findings
from trackside.reporting.tables import ABSENT, Figure
from trackside.reporting.views.first_page import FirstPage, Measured, PageRow, Tone, front_page
from trackside.reporting.writers.stored import findings_json, rounded
from trackside.reporting.writers.tables import WRITERS
from trackside.text.latex import booktabs


def report_files(report: Findings, *, formats: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file; ``formats`` (json, tex) are forms of the tables besides CSV."""
    if unknown := [name for name in formats if name not in WRITERS]:
        raise InputError(f"{unknown[0]}: no format of tables. Give one of {', '.join(WRITERS)}.")
    page = front_page(report)
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

    Figures are those of the first page's measure and family. ``formats`` adds json or tex of each table,
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
    """The figures of the first page's measure and family, and those of none."""
    page = front_page(report)
    measures, families = ("", page.measure), ("", page.family)
    return [figure for figure in report.figures() if figure.measure in measures and figure.family in families]


def methods_text(report: Findings) -> str:
    """Return the methods paragraph for a paper, and the basis line of the report."""
    says = [words for section in report.sections if section.name == "methods" for words in section.says]
    return "\n\n".join(filter(None, (" ".join(says), report.facts.basis))) + "\n"


def page_rows(page: FirstPage) -> list[list[str]]:
    """The header, second assessors, then a row for each judge; the last column is its advised use."""
    excess = [f"excess, {page.family}"] if page.family else []
    header = ["judge", "tau", "95 % interval", "pairs reversed", "kappa", *excess, "so"]
    return [header, *(_cells(row, page.family) for row in (*page.yardsticks, *page.judges))]


def latex_table(page: FirstPage) -> str:
    """The table without its last column, in LaTeX."""
    rows = [row[:-1] for row in page_rows(page)]
    return "\n".join(booktabs(rows, "lrlrl" + "l" * bool(page.family), comment=f"By {page.measure}.")) + "\n"


def _cells(row: PageRow, family: str | None) -> list[str]:
    pairs = ABSENT
    if row.pairs:
        pair_count = row.pairs.told
        pairs = f"{row.pairs.reversed:,} of {pair_count:,}" if pair_count else "none told apart"
    excess = [_with_ends(row.excess) if row.excess else ABSENT] if family else []
    name = row.name if row.so else f"{row.name} (people)"
    so = ABSENT
    if row.so:  # with the reason if the judge is not fit for something
        so = ": ".join(filter(None, (row.so.words, "" if row.so.tone is Tone.OK else row.so.reason)))
    return [name, row.tau.text, row.tau.ends, pairs, _with_ends(row.kappa), *excess, so]


def _with_ends(number: Measured) -> str:
    return number.text if number.low is None else f"{number.text} ({number.ends})"
