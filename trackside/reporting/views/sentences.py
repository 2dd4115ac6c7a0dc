"""Sentences on one judge, chosen by its findings alone, and the numbers in them.

Each sentence is a phrase without a full stop; None without a result to report.
"""

from collections.abc import Sequence

from trackside.findings.results import FamilyFinding, OtherRuns, ThirdFinding, TippingFinding
from trackside.findings.verdicts import ThirdVerdict
from trackside.reporting.tables import MINUS
from trackside.statistics.estimate import Reason
from trackside.text.counted import counted
from trackside.uncertainty.ranks import FEWEST_TEAMS


def other_runs_words(other: OtherRuns) -> str:
    """A sentence on other teams' runs: the interval over teams, or how many teams there are."""
    teams = counted(other.team_count, "team")
    if other.team_count < FEWEST_TEAMS:
        return f"{teams}: nothing is said about other teams' runs"
    if other.low is None or other.high is None:
        return f"{teams}: no interval for other teams' runs ({why(other.reason)})"
    ends = f"{coefficient(other.low)} to {coefficient(other.high)}"
    return f"With runs of other teams of this kind, tau is {ends} (95 %, {teams})"


def takes_words(finding: FamilyFinding) -> str | None:
    """What it would take for an excess to be no favour; None if the interval contains 0."""
    takes, runs = finding.takes, finding.family
    if takes is None or not (finding.verdict.is_above or finding.verdict.is_below):
        return None
    if takes.too_low is None or takes.at_least is None:
        words = tipping_words(finding.tipping)
    else:
        too_low, at_least = (f"{end:.{_decimals((end,), 2)}f}" for end in (takes.too_low, takes.at_least))
        words = (
            f"a favour, unless people and the second assessor both grade what all {runs} runs and no other "
            f"find {too_low} grades too low (at least {at_least})"
        )
    return f"{words}. {third_words(finding.third)}" if words and finding.third else words


EXPLAINS = {
    ThirdVerdict.TOO_LITTLE: ", too little for people's errors alone",
    ThirdVerdict.ENOUGH: ", which people's errors may explain",
    ThirdVerdict.OPEN: "",
}


def third_words(third: ThirdFinding) -> str:
    """What a third person's grades say of the results that decide most."""
    words = (
        f"A third person graded {third.graded_count} of the {counted(third.chosen_count, 'result')} that "
        f"decide it: {third.as_judge_count} nearer to the judge, {third.as_people_count} nearer to people"
    )
    if third.too_low is None or third.low is None or third.high is None:
        return words
    ends = " to ".join(coefficient(end) for end in (third.low, third.high))
    return (
        f"{words}. By these, they are {coefficient(third.too_low)} too low ({ends}){EXPLAINS[third.verdict]}"
    )


def tipping_words(tipping: TippingFinding | None) -> str | None:
    """How many errors of people would explain the excess; None without an excess."""
    if tipping is None or not tipping.candidate_count:
        return None
    if tipping.fewest is None or tipping.share is None:
        return (
            f"beyond people even if they were wrong about all {tipping.candidate_count:,} results on which "
            "the two differ that way"
        )
    share = f"{100 * tipping.share:.0f} %"
    return (
        f"as people if they were wrong, and the judge right, about {tipping.fewest:,} of the "
        f"{tipping.candidate_count:,} results ({share}) on which the two differ that way"
    )


MOST_DECIMALS = 4


def coefficient(value: float) -> str:
    """A tau or kappa, such as "0.47" or "−0.02"; a value that rounds to zero has no sign."""
    return f"{value:z.2f}".replace("-", MINUS)


def _decimals(values: Sequence[float], fewest: int) -> int:
    decimals = fewest
    while decimals < MOST_DECIMALS and any(0 < abs(value) < 0.5 * 10**-decimals for value in values):
        decimals += 1
    return decimals


def why(reason: Reason | None) -> str:
    """The words of a reason."""
    return reason.words if reason else "undefined"


def listed(names: Sequence[str]) -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
