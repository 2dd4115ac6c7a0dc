"""Derive verdicts on orders of runs from estimates and p."""

from __future__ import annotations

from evaluation.core.report.tables import Conclusion, ConclusionCode, Number
from evaluation.core.statistics.estimate import Estimate

SAME_ORDER, NEAR_ORDER = 0.9, 0.8  # tau: Voorhees, Evaluation by highly relevant documents, SIGIR 2001


def order_conclusion(
    tau: Estimate, p: Estimate, p_of_teams: Estimate, *, alpha: float, run_count: int, team_count: int
) -> Conclusion:
    """Return the verdict on an order of runs.

    ``p`` tests the null hypothesis of no relation, ``p_of_teams`` the same with each team's best run only.
    Runs of one team resemble each other, so an order is significant only if both are at most ``alpha``.
    """
    if tau.value is None:
        return Conclusion(ConclusionCode.UNDEFINED, f"cannot be compared with people: tau is {tau.text()}")
    shown = Number.of(tau).text("z.2f")
    words = f"orders the {run_count} runs with tau {shown}, which could be chance"
    if p.value is None or p.value > alpha:
        return Conclusion(ConclusionCode.UNRELATED_ORDER, words)
    if p_of_teams.value is None or p_of_teams.value > alpha:
        return Conclusion(
            ConclusionCode.CANNOT_TELL,
            f"{words} (by the best runs of {team_count} team{'s' * (team_count != 1)})",
        )
    return _of_related(tau.value, run_count)


def _of_related(tau: float, run_count: int) -> Conclusion:
    orders = f"orders the {run_count} runs"
    if tau < 0:
        return Conclusion(ConclusionCode.REVERSED_ORDER, f"{orders} in reverse rather than as people do")
    if tau >= SAME_ORDER:
        return Conclusion(ConclusionCode.SAME_ORDER, f"{orders} almost as people do")
    if tau >= NEAR_ORDER:
        return Conclusion(ConclusionCode.NEAR_ORDER, f"{orders} much as people do")
    return Conclusion(ConclusionCode.OTHER_ORDER, f"{orders} with noticeable differences from people")
