"""Serialise findings to plain JSON and back, for the database."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from trackside.errors import InputError
from trackside.findings.plain import from_plain, to_plain
from trackside.reporting.findings import FORM, Findings
from trackside.reporting.tables import Section, Table


def to_json(findings: Findings) -> dict[str, Any]:
    """Return the findings as plain lists, dicts, strings and numbers; no NaN."""
    sections = to_plain(findings.sections, without_defaults=True)
    return {"form": FORM, **to_plain(replace(findings, sections=())), "sections": sections}


def from_json(stored: Mapping[str, Any]) -> Findings:
    """Restore findings from the output of ``to_json``. Raises InputError."""
    if stored["form"] != FORM:
        raise InputError(f"These findings have form {stored['form']}, not {FORM}. Compute the report again.")
    return from_plain(Findings, stored)


def old_sections(stored: Mapping[str, Any]) -> tuple[Section, ...]:
    """The sections of findings of form 1, to show: verdicts are their words, figures are left out."""
    sections = []
    for section in stored["sections"]:
        tables = [
            {**table, "rows": [[_old_cell(cell) for cell in row] for row in table["rows"]]}
            for table in section["tables"]
        ]
        sections.append(from_plain(Section, {**section, "figures": [], "tables": tables}))
    return tuple(sections)


def table_json(table: Table) -> dict[str, Any]:
    """One table as JSON; fields with their defaults are left out."""
    return {**to_plain(table, without_defaults=True), "notes": list(table.notes)}


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


def _old_cell(stored: Any) -> Any:
    """A cell of form 1, whose codes may have gone."""
    if not isinstance(stored, dict):
        return stored
    if "verdict" in stored:
        return str(stored["words"])
    if stored["value"] is None and stored.get("reason"):
        return f"undefined ({stored['reason'].replace('_', ' ')})"
    ends = {name: stored.get("interval", {}).get(name) for name in ("low", "high", "level")}
    return {"value": stored["value"]} | ({"interval": ends} if ends["low"] is not None else {})
