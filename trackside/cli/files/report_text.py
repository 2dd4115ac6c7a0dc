"""A report as plain text: its first page, or the sentences and tables of its sections."""

import textwrap
from collections.abc import Iterator, Sequence

from trackside.cli.files.tables import aligned
from trackside.errors import InputError
from trackside.reporting.findings import Findings
from trackside.reporting.tables import Table
from trackside.reporting.views.first_page import first_page, front_family
from trackside.reporting.views.latex import page_rows
from trackside.text.counted import counted
from trackside.text.visible import visible_line

LONG = 60  # rows; longer tables are for files
MOST_JUDGES = 15  # rows of the first page, so that it fits 40 lines
WIDTH = 110


def page_lines(report: Findings, *, measure: str | None = None, family: str | None = None) -> Iterator[str]:
    """The first page by a measure and a family, in at most 38 lines. Raises InputError.

    Without names, it is by the first measure and for the family that stands out.
    """
    facts = report.facts
    _refuse_unknown(report, measure, family)
    measure = measure or facts.measures[0]
    page = first_page(report, measure, family or front_family(report, measure))
    yield from _wrapped(page.lead, 4)
    yield from _wrapped(page.advice or "", 3)
    for warning in page.warnings:
        yield from _wrapped(f"warning: {visible_line(warning)}", 2)
    header, *rows = page_rows(page)
    if rows:
        runs = f"{counted(len(facts.runs), 'run')} of {counted(facts.team_count, 'team')}"
        yield from ("", f"{page.measure}, {runs}, {counted(facts.topic_count, 'topic')}:")
        yield from aligned([header, *rows[:MOST_JUDGES]])
        if len(rows) > MOST_JUDGES:
            yield f"… and {counted(len(rows) - MOST_JUDGES, 'more judge')}: see --all."
        yield ""
        yield from page.notes
    yield from _wrapped(page.limit, 4)
    if others := [name for name in facts.families if name != page.family]:
        yield from _wrapped(f"Other families, by --family: {', '.join(others)}.", 2)


def report_lines(
    report: Findings, *, sections: Sequence[str] = (), measure: str | None = None, family: str | None = None
) -> Iterator[str]:
    """Lines of the named sections, or of all; rows of one measure and family, or of all.

    A missing value reads "undefined (reason)". Raises InputError.
    """
    refuse_absent("section", sections, [section.name for section in report.sections])
    _refuse_unknown(report, measure, family)
    yield report.facts.basis
    for section in report.sections:
        if not sections or section.name in sections:
            yield from ("", section.title, "=" * len(section.title))
            yield from section.says
            for table in section.tables:
                yield from _table_lines(table.where(measure=measure, family=family))


def refuse_absent(what: str, wanted: Sequence[str], choices: Sequence[str]) -> None:
    """Raise InputError, which lists the choices, if a wanted name is not one of them."""
    for name in wanted:
        if name not in choices:
            offered = ", ".join(choices) or "none"
            raise InputError(f"The report has no {what} {name}. Choose one of: {offered}.")


def _refuse_unknown(report: Findings, measure: str | None, family: str | None) -> None:
    refuse_absent("measure", [measure] if measure else [], report.facts.measures)
    refuse_absent("family", [family] if family else [], report.facts.families)


def _wrapped(text: str, most: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, max_lines=most, placeholder=" …", break_long_words=False, break_on_hyphens=False
    )


def _table_lines(table: Table) -> Iterator[str]:
    if not table.rows:
        return
    yield from ("", f"{table.caption} [{table.name}]")
    rows = table.texts()
    head = rows[:LONG]
    yield from ("  " + line for line in aligned([[column.name for column in table.columns], *head]))
    if len(rows) > len(head):
        yield f"  … and {len(rows) - len(head):,} rows more: write them with --format csv or --out."
    yield from table.notes
    yield from table.interval_notes()
