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
        "grades": _kappa(yardstick.grades) | {"reason": yardstick.grades.reason},
        "orders": orders,
    }


def _order(order: OrderFinding) -> dict[str, Any]:
    pairs, other = order.pairs, order.other_runs
    return {
        "measure": order.measure,
        "tau": order.tau,
        "low": order.low,
        "high": order.high,
        "pairs_told": pairs and pairs.told,
        "pairs_reversed": pairs and pairs.reversed,
        "pairs_missed": pairs and pairs.missed,
        "pairs_added": pairs and pairs.added,
        "verdict": order.verdict,
        "reason": order.reason,
        "rho": order.rho,
        "r": order.r,
        "runs": order.run_count,
        "topics": order.topic_count,
        "other_runs": {
            "teams": other.team_count,
            "low": other.low,
            "high": other.high,
            "reason": other.reason,
        },
    }


def _kappa(grades: GradeFinding) -> dict[str, Any]:
    return {"kappa": grades.kappa, "low": grades.low, "high": grades.high}


def _grades(grades: GradeFinding, second: SecondFinding) -> dict[str, Any]:
    return {
        **_kappa(grades),
        "second_kappa": second.second_kappa,
        "difference": second.difference,
        "low_difference": second.low_difference,
        "high_difference": second.high_difference,
        "verdict": second.verdict,
        "reason": grades.reason,
        "second_reason": second.reason,
        "leniency": grades.leniency,
        "pairs": grades.pair_count,
        "topics": grades.topic_count,
    }


def _family(finding: FamilyFinding) -> dict[str, Any]:
    favour, tipping, general = finding.favour, finding.tipping, finding.general
    return {
        "family": finding.family,
        "measure": finding.measure,
        "excess": finding.excess,
        "low": finding.low,
        "high": finding.high,
        "verdict": finding.verdict,
        "corrected": favour and favour.corrected,
        "corrected_low": favour and favour.corrected_low,
        "corrected_high": favour and favour.corrected_high,
        "favour": favour and favour.verdict,
        "tipping_point": tipping and tipping.share,
        "in_general": general.verdict,
        "reason": finding.reason,
        "favour_reason": favour and favour.reason,
        "general_reason": general.reason,
        "general_p": general.p,
        "level": finding.level,
        "p": finding.p,
        "p_holm": finding.p_holm,
        "people_delta": finding.people_delta,
        "judge_delta": finding.judge_delta,
        "visible_share": finding.visible_share,
        "tipping_results": tipping and tipping.fewest,
        "tipping_candidates": tipping and tipping.candidate_count,
    }
