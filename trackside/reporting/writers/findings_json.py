"""The content of ``findings.json``: a line a question for each judge, the facts, and the tables."""

from typing import Any

from trackside.findings.plain import to_plain
from trackside.findings.results import (
    FamilyFinding,
    GradeFinding,
    JudgeFindings,
    OrderFinding,
    SecondFinding,
    YardstickFinding,
)
from trackside.reporting.findings import FORM, Findings
from trackside.reporting.writers.stored import table_json


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
        "grades": _grades(judge.grades, judge.second),
        "families": [_family(family) for family in judge.families],
        "orders": orders,
        "second": judge.second,
    }


def _yardstick(yardstick: YardstickFinding) -> dict[str, Any]:
    orders = [_order(order) for order in yardstick.orders]
    return {
        "name": yardstick.name,
        "order": orders[0],
        "grades": _named(yardstick.grades, "kappa", "low", "high", "reason"),
        "orders": orders,
    }


def _named(finding: object, *names: str) -> dict[str, Any]:
    """These fields of a finding; all are None without the finding."""
    return {name: getattr(finding, name) if finding else None for name in names}


def _order(order: OrderFinding) -> dict[str, Any]:
    pairs = _named(order.pairs, "told", "reversed", "missed", "added")
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


def _grades(grades: GradeFinding, second: SecondFinding) -> dict[str, Any]:
    return {
        **_named(grades, "kappa", "low", "high"),
        **_named(second, "second_kappa", "difference", "low_difference", "high_difference", "verdict"),
        "reason": grades.reason,
        "second_reason": second.reason,
        "leniency": grades.leniency,
        "pairs": grades.pair_count,
        "topics": grades.topic_count,
    }


def _family(finding: FamilyFinding) -> dict[str, Any]:
    favour, tipping, general = finding.favour, finding.tipping, finding.general
    return {
        **_named(finding, "family", "measure", "excess", "low", "high", "verdict"),
        **_named(favour, "corrected", "corrected_low", "corrected_high"),
        "favour": favour and favour.verdict,
        "tipping_point": tipping and tipping.share,
        "in_general": general.verdict,
        "reason": finding.reason,
        "favour_reason": favour and favour.reason,
        "general_reason": general.reason,
        "general_p": general.p,
        **_named(finding, "level", "p", "p_holm", "people_delta", "judge_delta", "visible_share"),
        "tipping_results": tipping and tipping.fewest,
        "tipping_candidates": tipping and tipping.candidate_count,
    }
