"""Serialise findings to plain JSON and back, for the database."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError
from evaluation.core.findings.plain import from_plain, to_plain
from evaluation.core.findings.results import JudgeFindings, YardstickFinding
from evaluation.core.report.findings import FORM, Findings, LeaderFinding, ReportFacts
from evaluation.core.report.tables import Column, Figure, Number, Section, Table
from evaluation.core.statistics.estimate import Estimand, Interval, IntervalMethod, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from evaluation.core.report.tables import Cell


class FindingsOfOtherForm(InputError):
    """Another version of Trackside computed the findings; ``old_sections`` shows those of form 1."""


def to_json(findings: Findings) -> dict[str, Any]:
    """Return the findings as plain lists, dicts, strings and numbers; no NaN."""
    return {
        "form": FORM,
        "facts": to_plain(findings.facts),
        "judges": to_plain(findings.judges),
        "yardsticks": to_plain(findings.yardsticks),
        "leaders": to_plain(findings.leaders),
        "sections": [_section_json(section) for section in findings.sections],
    }


def from_json(stored: Mapping[str, Any]) -> Findings:
    """Restore findings from the output of ``to_json``. Raises FindingsOfOtherForm."""
    if stored["form"] != FORM:
        raise FindingsOfOtherForm(
            f"These findings have form {stored['form']}, not {FORM}. Compute the report again."
        )
    return Findings(
        facts=from_plain(ReportFacts, stored["facts"]),
        judges=tuple(from_plain(JudgeFindings, judge) for judge in stored["judges"]),
        yardsticks=tuple(from_plain(YardstickFinding, yardstick) for yardstick in stored["yardsticks"]),
        leaders=tuple(from_plain(LeaderFinding, leader) for leader in stored["leaders"]),
        sections=tuple(_section(section, _cell) for section in stored["sections"]),
    )


def old_sections(stored: Mapping[str, Any]) -> tuple[Section, ...]:
    """The sections of findings of form 1, to show: verdicts are their words, figures are left out."""
    return tuple(_section({**section, "figures": []}, _old_cell) for section in stored["sections"])


def table_json(table: Table) -> dict[str, Any]:
    """One table as JSON."""
    return {
        "name": table.name,
        "caption": table.caption,
        "columns": [_column_json(column) for column in table.columns],
        "rows": [[_cell_json(cell) for cell in row] for row in table.rows],
        "notes": list(table.notes),
    }


def rounded(stored: Any) -> Any:
    """Round all floats to ten significant digits, because the last bits of a sum depend on the machine."""
    match stored:
        case float():
            return float(digits(stored))
        case dict():
            return {name: rounded(item) for name, item in stored.items()}
        case list() | tuple():
            return [rounded(item) for item in stored]
    return stored


def digits(value: float) -> str:
    """Format with ten significant digits; zero has no sign."""
    return format(value + 0.0, ".10g")


def _section_json(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "title": section.title,
        "says": list(section.says),
        "tables": [table_json(table) for table in section.tables],
        "figures": [asdict(figure) for figure in section.figures],
    }


def _column_json(column: Column) -> dict[str, Any]:
    """The column's fields without defaults."""
    return {name: value for name, value in to_plain(column).items() if value or name == "name"}


def _cell_json(cell: Cell) -> Any:
    if not isinstance(cell, Number):
        return cell
    number: dict[str, Any] = {"value": cell.value}
    if cell.reason:
        number["reason"] = str(cell.reason)
    return number | ({"interval": _interval_json(cell.interval)} if cell.interval else {})


def _interval_json(interval: Interval) -> dict[str, Any]:
    codes = {"reason": interval.reason, "method": interval.method, "estimand": interval.estimand}
    named = {name: str(code) for name, code in codes.items() if code}
    ends = {} if interval.reason else {"low": interval.low, "high": interval.high}
    return {**ends, "level": interval.level, **named}


def _section(stored: Mapping[str, Any], read_cell: Callable[[Any], Cell]) -> Section:
    return Section(
        stored["name"],
        stored["title"],
        tuple(stored["says"]),
        tuple(_table(table, read_cell) for table in stored["tables"]),
        tuple(from_plain(Figure, figure) for figure in stored["figures"]),
    )


def _table(stored: Mapping[str, Any], read_cell: Callable[[Any], Cell]) -> Table:
    return Table(
        stored["name"],
        stored["caption"],
        tuple(from_plain(Column, column) for column in stored["columns"]),
        tuple(tuple(read_cell(cell) for cell in row) for row in stored["rows"]),
        tuple(stored["notes"]),
    )


def _cell(stored: Any) -> Cell:
    if not isinstance(stored, dict):
        cell: Cell = stored
        return cell
    return Number(stored["value"], _reason(stored), _interval(stored.get("interval")))


def _interval(stored: Mapping[str, Any] | None) -> Interval | None:
    if stored is None:
        return None
    method, estimand = stored.get("method"), stored.get("estimand")
    return Interval(
        stored.get("low"),
        stored.get("high"),
        stored["level"],
        _reason(stored),
        IntervalMethod(method) if method else None,
        Estimand(estimand) if estimand else None,
    )


def _reason(stored: Mapping[str, Any]) -> Reason | None:
    return Reason(stored["reason"]) if stored.get("reason") else None


def _old_cell(stored: Any) -> Cell:
    """A cell of form 1, whose codes may have gone."""
    if not isinstance(stored, dict):
        return _cell(stored)
    if "verdict" in stored:
        return str(stored["words"])
    if stored["value"] is None and stored.get("reason"):
        return f"undefined ({stored['reason'].replace('_', ' ')})"
    interval = stored.get("interval") or {}
    if "low" not in interval:
        return Number(stored["value"])
    return Number(stored["value"], None, Interval(interval["low"], interval["high"], interval["level"]))
