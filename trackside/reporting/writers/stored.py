"""Findings as plain JSON: for the database and back, and as ``findings.json`` with a line a question."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from trackside.errors import InputError
from trackside.findings.plain import from_plain, to_plain
from trackside.findings.results import (
    FamilyFinding,
    GradeFinding,
    JudgeFindings,
    OrderFinding,
    YardstickFinding,
)
from trackside.findings.use_results import Uses
from trackside.reporting.findings import FORM, Findings
from trackside.reporting.tables import Section, Table

ABOUT_USES = ("run_count", "topic_count", "pair_count", "gap_count", "gaps_decide", "runs_decide", "assay")
LAST_FORM = 2  # whose tables have the cells of today


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
    """The sections of findings of an earlier form, to show; of form 1 verdicts are words, without figures."""
    if stored["form"] == LAST_FORM:
        return tuple(from_plain(Section, section) for section in stored["sections"])
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


def findings_json(findings: Findings) -> dict[str, Any]:
    """The findings as plain lists, dicts, strings and numbers; verdicts and reasons are codes."""
    content = {
        "judges": [_judge(judge) for judge in findings.judges],
        "yardsticks": [_yardstick(yardstick) for yardstick in findings.yardsticks],
        "form": FORM,
        "facts": findings.facts,
        "leaders": findings.leaders,
        "tables": [table_json(table) for table in findings.tables()],
    }
    plain: dict[str, Any] = to_plain(content)
    return plain


def _judge(judge: JudgeFindings) -> dict[str, Any]:
    orders = [_order(order) for order in judge.orders]
    return {
        "name": judge.name,
        "order": orders[0],
        "grades": _grades(judge.grades, judge.uses),
        "families": [_family(family) for family in judge.families],
        "orders": orders,
        "uses": {**dict(judge.uses.named()), **_named(judge.uses, *ABOUT_USES)},
    }


def _yardstick(yardstick: YardstickFinding) -> dict[str, Any]:
    orders = [_order(order) for order in yardstick.orders]
    return {
        "name": yardstick.name,
        "order": orders[0],
        "grades": _named(yardstick.grades, "kappa", "low", "high", "reason"),
        "orders": orders,
        "uses": dict(yardstick.uses.named()),
    }


def _named(finding: object, *names: str) -> dict[str, Any]:
    """These fields of a finding; all are None without the finding."""
    return {name: getattr(finding, name) if finding else None for name in names}


def _order(order: OrderFinding) -> dict[str, Any]:
    pairs = _named(order.pairs, "told", "kept", "reversed", "missed", "leaning", "added")
    return {
        **_named(order, "measure", "tau", "low", "high"),
        **{f"pairs_{name}": count for name, count in pairs.items()},
        **_named(order, "verdict", "reason", "rho", "r"),
        "runs": order.run_count,
        "topics": order.topic_count,
        "other_runs": {
            "teams": order.other_runs.team_count,
            **_named(order.other_runs, "low", "high", "reason"),
        },
    }


def _grades(grades: GradeFinding, uses: Uses) -> dict[str, Any]:
    label = uses.label
    return {
        **_named(grades, "kappa", "low", "high"),
        **_named(label, "second_kappa", "difference", "low_difference", "high_difference"),
        "reason": grades.reason,
        "second_reason": label.reason,
        "leniency": grades.leniency,
        "pairs": grades.pair_count,
        "topics": grades.topic_count,
    }


def _family(finding: FamilyFinding) -> dict[str, Any]:
    tipping, general = finding.tipping, finding.general
    return {
        **_named(finding, "family", "measure", "excess", "low", "high", "verdict"),
        "takes": finding.takes,
        "tipping_point": tipping and tipping.share,
        "in_general": general.verdict,
        "reason": finding.reason,
        "general_reason": general.reason,
        "general_p": general.p,
        **_named(finding, "level", "p", "p_holm", "people_delta", "judge_delta", "visible_share"),
        "tipping_results": tipping and tipping.fewest,
        "tipping_candidates": tipping and tipping.candidate_count,
        "third": finding.third,
    }
