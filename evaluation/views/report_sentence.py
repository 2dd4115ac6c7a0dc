"""The finding of a report in one sentence, from its numbers."""

from __future__ import annotations

from typing import Any

from evaluation.core.estimate import Reason

SAME_ORDER, NEAR_ORDER = 0.9, 0.8  # tau above and below which TREC speaks of equal and of changed rankings
SIGNIFICANT = 0.05
MINUS = "\N{MINUS SIGN}"


def report_sentence(judge: dict[str, Any], *, measure: str, family: str | None, run_count: int) -> str:
    """What a judge does to the order of the runs, where chance does not, and whether it favours the family.

    ``judge`` is an entry of a report's ``others``; a family is favoured by the p corrected for the number of
    families, of which this is one. The limits of tau are those of Voorhees, Evaluation by highly relevant
    documents, SIGIR 2001.
    """
    # A report of an older form knows no p of the order.
    order_p = judge["order_p"][measure] if "order_p" in judge else None
    order = _order(judge["correlation"][measure]["kendall"], order_p, run_count)
    bias = judge["bias"][measure].get(family) if family else None
    return f"{judge['name']} {order}" + (f"; {_favour(bias, family)}" if bias else "") + "."


def _order(kendall: dict[str, Any], order_p: dict[str, Any] | None, run_count: int) -> str:
    tau = kendall["value"]
    if tau is None:
        return f"cannot be compared with people on {run_count} runs ({Reason(kendall['reason']).words})"
    is_chance = tau <= 0 if order_p is None else _can_be_chance(order_p["value"])
    if tau >= NEAR_ORDER:
        words = "almost as people do" if tau >= SAME_ORDER else "much as people do"
        words += ", which can be chance with so few" if is_chance else ""
    elif is_chance or tau == 0:
        words = "no more like people than by chance"
    elif tau > 0:
        words = "with noticeable differences from people"
    else:
        words = "more in reverse than as people do"
    return f"orders the {run_count} runs {words}"


def _favour(bias: dict[str, Any], family: str | None) -> str:
    # A report of an older form knows the uncorrected p only.
    points, p = bias["bias"]["value"], bias.get("p_holm", bias["p"])["value"]
    if points is None:
        return f"its bias to {family} runs is undefined ({Reason(bias['bias']['reason']).words})"
    size = f"{abs(points):.1f} points"
    if _can_be_chance(p):
        sign = MINUS if points < 0 else "+"
        return f"its bias of {sign}{size} to {family} runs can be chance"
    return f"it {'favours' if points > 0 else 'disfavours'} {family} runs by {size}"


def _can_be_chance(p: float | None) -> bool:
    return p is None or p >= SIGNIFICANT
