"""Whiskers of the table of uses: a value with its interval, margin and yardsticks, on a fixed axis."""

from dataclasses import dataclass

from trackside.findings.use_results import RankUse, UseCode, Uses
from trackside.findings.uses.rank import FEWEST_RUNS
from trackside.reporting.findings import Findings


@dataclass(frozen=True, slots=True)
class Whisker:
    """A value with its interval on a column's axis, which is the same for every judge and report.

    ``margins`` are dotted, ``chance`` is the range with the judge's grades shuffled, ``tick`` the judge that
    grades by the number of runs, ``people`` the interval of two people with each other.
    """

    axis: tuple[float, float]
    value: float | None
    low: float | None
    high: float | None
    margins: tuple[float, ...] = ()
    chance: tuple[float, float] | None = None
    tick: float | None = None
    people: tuple[float, float] | None = None


RANK_AXIS, BEST_AXIS, FAMILY_AXIS, TUNE_AXIS, LABEL_AXIS = (
    (-0.5, 1.0),
    (0.0, 4.0),
    (-6.0, 6.0),
    (-0.25, 1.0),
    (-0.15, 0.95),
)
"""Axes of the columns; those of best and families are in margins."""


def whisker_of(findings: Findings, uses: Uses, name: str) -> Whisker | None:
    """The whisker of a use; None without a value."""
    margins = findings.facts.margins
    match name:
        case "rank":
            return None if uses.run_count < FEWEST_RUNS else _rank_whisker(findings, uses.rank)
        case "best":
            use = uses.best
            if use.loss is None or not use.margin:
                return None
            ends = (0.0, BEST_AXIS[1] * use.margin)
            low = use.low if use.code is UseCode.DIFFERS else 0.0
            high = ends[1] if use.code is UseCode.DIFFERS else use.high
            return Whisker(ends, use.loss, low if use.high is not None else None, high, (use.margin,))
        case "families":
            first = next(iter(uses.families.families), None)
            if first is None or first.excess is None:
                return None
            axis = FAMILY_AXIS[0] * margins.points, FAMILY_AXIS[1] * margins.points
            return Whisker(axis, first.excess, first.low, first.high, (-margins.points, margins.points))
        case "tune":
            tune = uses.tune
            return (
                None
                if tune.rate is None
                else Whisker(TUNE_AXIS, tune.rate, tune.low, tune.high, (margins.rate,))
            )
    label = uses.label
    if label.kappa is None:
        return None
    lines = () if label.second_kappa is None else (label.second_kappa - margins.kappa,)
    people = _people(
        [second.grades.low for second in findings.yardsticks],
        [second.grades.high for second in findings.yardsticks],
    )
    return Whisker(LABEL_AXIS, label.kappa, label.low, label.high, lines, people=people)


def _rank_whisker(findings: Findings, use: RankUse) -> Whisker | None:
    if use.tau is None:
        return None
    chance = None if use.chance_low is None or use.chance_high is None else (use.chance_low, use.chance_high)
    seconds = [second.uses.rank for second in findings.yardsticks]
    return Whisker(
        RANK_AXIS,
        use.tau,
        use.low,
        use.high,
        (findings.facts.margins.order,),
        chance=chance,
        tick=use.popular_tau,
        people=_people([second.low for second in seconds], [second.high for second in seconds]),
    )


def _people(lows: list[float | None], highs: list[float | None]) -> tuple[float, float] | None:
    """The interval of the only second assessor; with several, none is drawn."""
    if len(lows) != 1 or lows[0] is None or highs[0] is None:
        return None
    return lows[0], highs[0]
