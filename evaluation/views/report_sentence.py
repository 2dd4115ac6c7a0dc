"""The finding of a report in one sentence, from its numbers."""

from __future__ import annotations

from typing import Any

from evaluation.core.estimate import Reason

SAME_ORDER, NEAR_ORDER = 0.9, 0.8  # tau above and below which TREC speaks of equal and of changed rankings
SIGNIFICANT = 0.05
MINUS = "\N{MINUS SIGN}"


def report_sentence(judge: dict[str, Any], *, measure: str, family: str | None, run_count: int) -> str:
    """What a judge does to the order of the runs, and whether it favours the family.

    ``judge`` is an entry of a report's ``others``; a family is favoured by the p corrected for the number of
    families, of which this is one. The limits of tau are those of Voorhees, Evaluation by highly relevant
    documents, SIGIR 2001.
    """
    order = _order(judge["correlation"][measure]["kendall"], run_count)
    bias = judge["bias"][measure].get(family) if family else None
    return f"{judge['name']} {order}" + (f"; {_favour(bias, family)}" if bias else "") + "."


def _order(kendall: dict[str, Any], run_count: int) -> str:
    tau = kendall["value"]
    if tau is None:
        return f"cannot be compared with people on {run_count} runs ({Reason(kendall['reason']).words})"
    if tau >= SAME_ORDER:
        words = "almost as people do"
    elif tau >= NEAR_ORDER:
        words = "much as people do"
    elif tau > 0:
        words = "with noticeable differences from people"
    else:
        words = "no more like people than by chance"
    return f"orders the {run_count} runs {words}"


def _favour(bias: dict[str, Any], family: str | None) -> str:
    # A report of an older form knows the uncorrected p only.
    points, p = bias["bias"]["value"], bias.get("p_holm", bias["p"])["value"]
    if points is None:
        return f"its bias to {family} runs is undefined ({Reason(bias['bias']['reason']).words})"
    size = f"{abs(points):.1f} points"
    if p is None or p >= SIGNIFICANT:
        sign = MINUS if points < 0 else "+"
        return f"its bias of {sign}{size} to {family} runs can be chance"
    return f"it {'favours' if points > 0 else 'disfavours'} {family} runs by {size}"
