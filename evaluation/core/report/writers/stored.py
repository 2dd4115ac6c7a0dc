"""Serialise findings to plain JSON and back, for the database and ``findings.json``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from evaluation.core.report.tables import (
    FORM,
    Column,
    Conclusion,
    ConclusionCode,
    CorrectionScope,
    Figure,
    Findings,
    Number,
    Section,
    Table,
)
from evaluation.core.statistics.estimate import Estimand, Interval, IntervalMethod, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.core.report.tables import Cell


def to_json(findings: Findings) -> dict[str, Any]:
    """Return the findings as plain lists, dicts, strings and numbers; no NaN."""
    sections = [_section_json(each) for each in findings.sections]
    return {"form": FORM, "facts": dict(findings.facts), "sections": sections}


def from_json(stored: Mapping[str, Any]) -> Findings:
    """Restore findings from the output of ``to_json``."""
    return Findings(stored["facts"], tuple(_section(each) for each in stored["sections"]))


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
            return {name: rounded(each) for name, each in stored.items()}
        case list() | tuple():
            return [rounded(each) for each in stored]
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
    return {name: value for name, value in asdict(column).items() if value or name == "name"}


def _column(stored: Mapping[str, Any]) -> Column:
    role = stored.get("role")
    return Column(**{**stored, "role": CorrectionScope(role) if role else None})


def _cell_json(cell: Cell) -> Any:
    if isinstance(cell, Conclusion):
        return {"verdict": str(cell.outcome), "words": cell.words}
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


def _section(stored: Mapping[str, Any]) -> Section:
    return Section(
        stored["name"],
        stored["title"],
        tuple(stored["says"]),
        tuple(_table(each) for each in stored["tables"]),
        tuple(Figure(**each) for each in stored["figures"]),
    )


def _table(stored: Mapping[str, Any]) -> Table:
    return Table(
        stored["name"],
        stored["caption"],
        tuple(_column(each) for each in stored["columns"]),
        tuple(tuple(_cell(cell) for cell in row) for row in _rows(stored)),
        tuple(stored["notes"]),
    )


def _rows(stored: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
    rows: Sequence[Sequence[Any]] = stored["rows"]
    return rows


def _cell(stored: Any) -> Cell:
    if not isinstance(stored, dict):
        cell: Cell = stored
        return cell
    if "verdict" in stored:
        return Conclusion(ConclusionCode(stored["verdict"]), stored["words"])
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
