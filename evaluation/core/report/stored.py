"""A report as plain JSON and back again: what a database keeps and a file holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from evaluation.core.estimate import Reason
from evaluation.core.report.content import Column, Figure, Number, Report, Section, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.core.report.content import Cell


def to_json(report: Report) -> dict[str, Any]:
    """Plain lists, dicts, strings and numbers; no NaN."""
    return {"facts": dict(report.facts), "sections": [_section_json(each) for each in report.sections]}


def from_json(stored: Mapping[str, Any]) -> Report:
    """The report that ``to_json`` made."""
    return Report(stored["facts"], tuple(_section(each) for each in stored["sections"]))


def table_json(table: Table) -> dict[str, Any]:
    """One table as JSON."""
    return {
        "name": table.name,
        "caption": table.caption,
        "columns": [asdict(column) for column in table.columns],
        "rows": [[_cell_json(cell) for cell in row] for row in table.rows],
        "notes": list(table.notes),
    }


def rounded(stored: Any) -> Any:
    """The same JSON with floats of ten digits: the last bits of a sum depend on the machine."""
    match stored:
        case float():
            return float(digits(stored))
        case dict():
            return {name: rounded(each) for name, each in stored.items()}
        case list() | tuple():
            return [rounded(each) for each in stored]
    return stored


def digits(value: float) -> str:
    """Ten significant digits, and no sign of zero."""
    return format(value + 0.0, ".10g")


def _section_json(section: Section) -> dict[str, Any]:
    return {
        "name": section.name,
        "title": section.title,
        "says": list(section.says),
        "tables": [table_json(table) for table in section.tables],
        "figures": [asdict(figure) for figure in section.figures],
    }


def _cell_json(cell: Cell) -> Any:
    if not isinstance(cell, Number):
        return cell
    kept = {"value": cell.value, "reason": cell.reason and str(cell.reason)}
    return kept if cell.low is None else kept | {"low": cell.low, "high": cell.high}


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
        tuple(Column(**each) for each in stored["columns"]),
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
    reason = stored["reason"]
    return Number(stored["value"], Reason(reason) if reason else None, stored.get("low"), stored.get("high"))
