"""A report as plain text: the sentences and tables of its sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.cli.files.tables import aligned
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.report.tables import Findings, Table

LONG = 60  # rows; longer tables are for files


class NotInReport(InputError):
    """The report has no such section, measure or family."""


def report_lines(
    report: Findings, *, sections: Sequence[str] = (), measure: str | None = None, family: str | None = None
) -> Iterator[str]:
    """Lines of the named sections, or of all; rows of one measure and family, or of all.

    A missing value reads "undefined (reason)". Raises NotInReport.
    """
    refuse_absent("section", sections, [section.name for section in report.sections])
    refuse_absent("measure", [measure] if measure else [], report.facts["measures"])
    refuse_absent("family", [family] if family else [], report.facts["families"])
    yield report.basis
    for section in report.sections:
        if not sections or section.name in sections:
            yield from ("", section.title, "=" * len(section.title))
            yield from section.says
            for table in section.tables:
                yield from _table_lines(table.where(measure=measure, family=family))


def refuse_absent(what: str, wanted: Sequence[str], choices: Sequence[str]) -> None:
    """Raise NotInReport, which lists the choices, if a wanted name is not one of them."""
    for name in wanted:
        if name not in choices:
            offered = ", ".join(choices) or "none"
            raise NotInReport(f"The report has no {what} {name}. Choose one of: {offered}.")


def _table_lines(table: Table) -> Iterator[str]:
    if not table.rows:
        return
    yield from ("", f"{table.caption} [{table.name}]")
    rows = table.texts()
    shown = rows[:LONG]
    yield from ("  " + line for line in aligned([[column.name for column in table.columns], *shown]))
    if len(rows) > len(shown):
        yield f"  … and {len(rows) - len(shown):,} rows more: write them with --format csv or --out."
    yield from table.notes
    yield from table.interval_notes()
