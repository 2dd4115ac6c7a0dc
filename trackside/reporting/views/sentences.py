"""Sentences on one judge, chosen by verdicts and ends of intervals alone, and the numbers in them.

Each sentence is a phrase that follows the judge's name, without a full stop; None without a result to report.
"""

from collections.abc import Sequence

from trackside.findings.results import (
    FamilyFinding,
    FavourFinding,
    GradeFinding,
    OrderFinding,
    OtherRuns,
    SecondFinding,
    SecondTau,
    TippingFinding,
)
from trackside.findings.verdicts import (
    FamilyVerdict,
    FavourVerdict,
    GeneralVerdict,
    GradeVerdict,
    OrderVerdict,
)
from trackside.reporting.tables import MINUS
from trackside.statistics.estimate import Reason
from trackside.text.counted import counted
from trackside.uncertainty.intervals import FEWEST_TOPICS
from trackside.uncertainty.ranks import FEWEST_TEAMS


def order_words(order: OrderFinding) -> str:
    """Whether the judge orders the runs as people do, with tau and its interval."""
    if order.tau is None:
        return f"cannot be compared by the order of the runs: {why(order.reason)}"
    runs = counted(order.run_count, "run")
    tau = f"tau {coefficient(order.tau)}"
    if order.low is None or order.high is None:
        few = f"an interval needs {FEWEST_TOPICS} topics"
        no_ends = few if order.reason is Reason.TOO_FEW_TOPICS else f"no interval: {why(order.reason)}"
        return f"orders {runs} with {tau} on {counted(order.topic_count, 'topic')}; {no_ends}"
    tau = f"{tau}, {coefficient(order.low)} to {coefficient(order.high)}"
    match order.verdict:
        case OrderVerdict.ALMOST:
            return f"orders {runs} almost as people do ({tau})"
        case OrderVerdict.DIFFERENCES:
            return f"orders {runs} as people do, with differences ({tau})"
        case OrderVerdict.REVERSE:
            return f"orders {runs} in reverse of people's order ({tau})"
    return f"orders {runs} in a way that is not shown to be related to people's ({tau})"


def pairs_words(order: OrderFinding) -> str | None:
    """How many pairs of runs that people tell apart the judge reverses or leaves undecided."""
    pairs = order.pairs
    if pairs is None:
        return None
    further = counted(pairs.added, "further pair" if pairs.told else "pair")
    added = f"; it tells {further} apart" if pairs.added else ""
    if not pairs.told:
        return f"cannot be compared by pairs of runs: people tell none apart{added}"
    of_pairs = f"of {counted(pairs.told, 'pair')} of runs that people tell apart"
    return f"reverses {pairs.reversed:,} {of_pairs} and leaves {pairs.missed:,} undecided{added}"


def other_runs_words(other: OtherRuns) -> str:
    """A sentence on other teams' runs: the interval over teams, or how many teams there are."""
    teams = counted(other.team_count, "team")
    if other.team_count < FEWEST_TEAMS:
        return f"{teams}: nothing is said about other teams' runs"
    if other.low is None or other.high is None:
        return f"{teams}: no interval for other teams' runs ({why(other.reason)})"
    ends = f"{coefficient(other.low)} to {coefficient(other.high)}"
    return f"With runs of other teams of this kind, tau is {ends} (95 %, {teams})"


def grades_words(grades: GradeFinding) -> str:
    """Agreement with people pair by pair."""
    if grades.kappa is None:
        return f"has no kappa with people: {why(grades.reason)}"
    words = f"agrees with people on pairs with kappa {coefficient(grades.kappa)}"
    if grades.low is None or grades.high is None:
        return words
    return f"{words} ({coefficient(grades.low)} to {coefficient(grades.high)})"


def second_words(second: SecondFinding) -> str | None:
    """Whether the judge grades as well as a second assessor; None without one."""
    if second.second is None:
        return None
    pairs = counted(second.pair_count, "pair")
    kappas = pairs
    if second.kappa is not None and second.second_kappa is not None:
        kappa, second_kappa = coefficient(second.kappa), coefficient(second.second_kappa)
        kappas = f"kappa {kappa} against {second_kappa}, {pairs} that all three graded"
    if words := _beside_second(second, "grades pairs", "kappa", kappas):
        return words
    return f"is not compared with the second assessor ({kappas}): {why(second.reason)}"


def second_tau_words(tau: SecondTau) -> str | None:
    """Whether the judge orders the runs as well as a second assessor; None without a comparison."""
    if tau.judge_tau is None or tau.second_tau is None:
        return None
    taus = f"tau {coefficient(tau.judge_tau)} against {coefficient(tau.second_tau)}"
    return _beside_second(tau, "orders the runs", "tau", taus)


def _beside_second(finding: SecondFinding | SecondTau, verb: str, noun: str, numbers: str) -> str | None:
    match finding.verdict:
        case GradeVerdict.NOT_WORSE:
            return f"{verb} no worse than the second assessor ({numbers})"
        case GradeVerdict.WORSE:
            return f"{verb} worse than the second assessor ({numbers})"
    if finding.low_difference is None or finding.high_difference is None:
        return None
    ends = f"{coefficient(finding.low_difference)} to {coefficient(finding.high_difference)}"
    return f"differs from the second assessor in {noun} by {ends} ({numbers})"


def family_words(finding: FamilyFinding, margin: float) -> str:
    """How far the judge rates the family above people's grades, with both ends of the interval."""
    runs = f"{finding.family} runs"
    if finding.low is None or finding.high is None or finding.excess is None:
        return f"cannot be compared by {runs}: {why(finding.reason)}"
    value, low, high = points(finding.excess, finding.low, finding.high)
    if finding.verdict.is_above or finding.verdict.is_below:
        side, ends = ("above", (low, high)) if finding.verdict.is_above else ("below", (high, low))
        is_small = finding.verdict in (FamilyVerdict.ABOVE_WITHIN, FamilyVerdict.BELOW_WITHIN)
        inside = f"{ends[0]} to {ends[1]}{f', at most {margin:g}' * is_small}"
        return f"rates {runs} {value} points {side} people's grades ({inside}), beyond its leniency"
    if finding.low == finding.high == 0:
        return f"rates {runs} exactly as people's grades do, beyond its leniency"
    words = between(finding.low, finding.high)
    if finding.verdict is FamilyVerdict.WITHIN:
        return f"rates {runs} at most {margin:g} points from people's grades ({words})"
    return f"rates {runs} {words} people's grades"


def favour_words(finding: FamilyFinding) -> str | None:
    """Whether an excess is the judge's favour; None if the interval contains 0, and for other measures."""
    favour = finding.favour
    if favour is None or not (finding.verdict.is_above or finding.verdict.is_below):
        return None
    if favour.reason is Reason.NO_SECOND_ASSESSOR:
        return tipping_words(finding.tipping)
    match favour.verdict:
        case FavourVerdict.FAVOURS | FavourVerdict.DISFAVOURS:
            return f"{favour.verdict} them by the second assessor's grades, too{_grades(favour)}"
        case FavourVerdict.FAVOURS_IF | FavourVerdict.DISFAVOURS_IF:
            verb = "favours" if favour.verdict is FavourVerdict.FAVOURS_IF else "disfavours"
            return f"{verb} them, if the two assessors' errors are independent{_grades(favour)}"
        case FavourVerdict.NOT_SHOWN:
            return f"may be right where people err: a favour is not shown{_grades(favour)}"
    return f"may be right where people err: the second assessor cannot decide it ({why(favour.reason)})"


def _grades(favour: FavourFinding) -> str:
    if favour.corrected is None or favour.corrected_low is None or favour.corrected_high is None:
        return ""
    low, high = coefficient(favour.corrected_low), coefficient(favour.corrected_high)
    return f" ({coefficient(favour.corrected)} grades, {low} to {high})"


def tipping_words(tipping: TippingFinding | None) -> str | None:
    """How many errors of people would explain the excess; None without an excess."""
    if tipping is None or not tipping.candidate_count:
        return None
    if tipping.fewest is None or tipping.share is None:
        return (
            f"would have this excess even if people were wrong about all {tipping.candidate_count:,} results "
            "on which the two differ in this direction"
        )
    share = f"{100 * tipping.share:.0f} %"
    return (
        f"would have no excess if people were wrong, and the judge right, about {tipping.fewest:,} of the "
        f"{tipping.candidate_count:,} results ({share}) on which the two differ in this direction, the most "
        "telling first"
    )


def general_words(finding: FamilyFinding) -> str | None:
    """Whether the excess also holds for such runs of other teams; None without a verdict or an excess."""
    general = finding.general
    if not (finding.verdict.is_above or finding.verdict.is_below):
        return None
    if general.verdict is GeneralVerdict.NOT_SAID or general.p is None:
        return None
    if general.verdict is GeneralVerdict.SHOWN:
        side = "above" if finding.verdict.is_above else "below"
        return f"rates such runs of other teams {side} people's grades, too ({p_value(general.p)} over teams)"
    return f"is not shown to do so with other teams' runs ({p_value(general.p)} over teams)"


MOST_DECIMALS = 4


def coefficient(value: float) -> str:
    """A tau or kappa, such as "0.47" or "−0.02"; a value that rounds to zero has no sign."""
    return f"{value:z.2f}".replace("-", MINUS)


def points(*values: float) -> list[str]:
    """Points of Relative Delta without a sign, in equal decimals: as few as keep each from reading 0."""
    sizes = [abs(value) for value in values]
    decimals = _decimals(sizes, 0 if max(sizes) >= 10 else 1)
    return [f"{size:.{decimals}f}" for size in sizes]


def signed(*values: float) -> list[str]:
    """Points with their sign, such as "+7.6", in equal decimals that keep each from reading 0."""
    decimals = _decimals(values, 1)
    return [f"{value:+z.{decimals}f}".replace("-", MINUS) for value in values]


def _decimals(values: Sequence[float], fewest: int) -> int:
    decimals = fewest
    while decimals < MOST_DECIMALS and any(0 < abs(value) < 0.5 * 10**-decimals for value in values):
        decimals += 1
    return decimals


def between(low: float, high: float) -> str:
    """The ends of an interval of points, such as "between 7 points below and 5 above"."""
    ends = points(low, high)
    sides = ["below" if end < 0 else "above" for end in (low, high)]
    return f"between {ends[0]} points {sides[0]} and {ends[1]} {sides[1]}"


def p_value(p: float) -> str:
    """A p with its sign of relation: "p = 0.004", "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def why(reason: Reason | None) -> str:
    """The words of a reason."""
    return reason.words if reason else "undefined"


def listed(names: Sequence[str]) -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
