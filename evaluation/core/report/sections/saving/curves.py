"""The number of graded topics or items from which the order of the runs is stable: shares, claims, lines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.focus import series_of
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.correlation.rows import in_blocks
from evaluation.core.statistics.proportions import clopper_pearson

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.saving.prediction_powered import EstimatedMeans

CHOICES = 200  # random choices of topics or items to grade, for each number of them
STEADY = 0.9  # tau from which two rankings count as equivalent
SHARE = 0.95  # share of all choices that must reach STEADY
CONFIDENCE = 0.95  # of each claim that SHARE of the choices reach STEADY
CONDITION = (
    "These numbers hold for these runs, topics and judges only: another track can need more. "
    f"Each sentence has a confidence of {CONFIDENCE:.0%}, and names the least of the numbers in its table."
).replace("%", " %")
ALONE = "people alone"  # the line without a judge
PAIRS = 10  # pairs of neighbouring runs whose difference is estimated


@dataclass(frozen=True, slots=True)
class RankingStability:
    """Kendall's tau of the estimated rankings with people's: the mean, and how many choices reach STEADY.

    Both are None if people's values give no order. A choice without a tau does not reach STEADY.
    """

    mean: float | None
    steady: int | None
    choices: int

    @property
    def share(self) -> float | None:
        """The share of the drawn choices that reach STEADY."""
        return None if self.steady is None else self.steady / self.choices


@dataclass(frozen=True, slots=True)
class Point:
    """Results for one number of graded units: mean interval widths and orders, with the judge and without."""

    number: int
    width: float | None
    width_alone: float | None
    helped: RankingStability
    alone: RankingStability

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Widths, taus and shares, each with the judge and without."""
        helped, alone = self.helped, self.alone
        return (self.width, self.width_alone, helped.mean, alone.mean, helped.share, alone.share)


def agreement(full: Floats, estimates: Floats) -> RankingStability:
    """Compare (choices, runs) estimates with people's values of the runs."""
    taus = in_blocks(kendall_tau_b_of_rows, np.broadcast_to(full, estimates.shape), estimates)
    known = taus[~np.isnan(taus)]
    if not known.size:
        return RankingStability(None, None, taus.size)
    return RankingStability(float(known.mean()), int((known >= STEADY).sum()), taus.size)


def fewest_enough(steady: Sequence[tuple[int, int | None]], choices: int) -> tuple[int, int] | None:
    """Find the least number for which SHARE of all choices reach STEADY, at CONFIDENCE; None if none does.

    ``steady`` has the numbers in rising order, each with the count of its ``choices`` that reach STEADY. The
    numbers are tested from the largest down to the first whose Clopper-Pearson bound is below SHARE; tests in
    a fixed order need no correction (Maurer, Hothorn and Lehmacher 1995). Returns the number and its count.
    """
    found = None
    for number, count in reversed(steady):
        # One end of a 90 % interval is a one-sided 95 % bound.
        if count is None or (clopper_pearson(count, choices, level=2 * CONFIDENCE - 1).low or 0.0) < SHARE:
            break
        found = number, count
    return found


def claim(what: str, units: str, points: Sequence[Point]) -> str:
    """Sentence on the number of units that is enough for one judge; empty if no number is.

    ``points`` are in rising order; the last one has all units.
    """
    *parts, whole = points
    found = fewest_enough([(each.number, each.helped.steady) for each in parts], CHOICES)
    if found is None:
        return ""
    number, count = found
    plain = fewest_enough([(each.number, each.alone.steady) for each in parts], CHOICES)
    others = f"{plain[0]:,}" if plain else f"all {whole.number:,}"
    text = (
        f"{what}: on this track, people's grades of {number:,} of {whole.number:,} {units} would have been "
        f"enough, and without the judge {others}. At least {SHARE:.0%} of all choices of {number:,} {units} "
        f"order these runs as all {units} do (tau of {STEADY} or more; {count} of {CHOICES} drawn choices)."
    )
    return text.replace("%", " %")


def draws(units: int, seed: int, most: int) -> Ints:
    """Draw random orders of the units; return the first ``most`` of each, (choices, most)."""
    random = np.random.default_rng(seed)
    return np.array([_lowest(random.random(units), most) for _ in range(CHOICES)])


def _lowest(random: Floats, most: int) -> Ints:
    """Indices of the ``most`` lowest numbers, the lowest first."""
    found = np.argpartition(random, most - 1)[:most]
    return found[np.argsort(random[found])]


def choices(drawn: Ints, n: int, units: int) -> Flags:
    """Flag the first n units of each order, (choices, units); a single choice if n is all units."""
    if n == units:
        return np.ones((1, n), dtype=np.bool_)
    is_chosen = np.zeros((len(drawn), units), dtype=np.bool_)
    np.put_along_axis(is_chosen, drawn[:, :n], values=True, axis=1)
    return is_chosen


def mean_width(found: EstimatedMeans) -> float | None:
    """Mean width of the defined intervals; None if none is defined."""
    widths = (found.high - found.low)[~np.isnan(found.low)]
    return float(widths.mean()) if widths.size else None


def neighbours(means: Floats) -> Iterator[tuple[int, int]]:
    """Yield each of the first ``PAIRS`` runs with the next one in the order of the means."""
    order = np.argsort(-means, kind="stable").tolist()
    yield from pairwise(order[: PAIRS + 1])


def line_series(study: Study) -> dict[str, str]:
    """Class of each line of ``width_lines``."""
    return series_of(study) | {ALONE: "p1"}


def width_lines(rows: Sequence[tuple[str, Cell, Cell, Cell]]) -> dict[str, list[tuple[float, float]]]:
    """Points of each judge's line, from rows of judge, number graded, width with the judge and without.

    The line of people alone comes from the judge with the most graded. A judge with one point has no line.
    """
    helped: dict[str, list[tuple[float, float]]] = {}
    alone: dict[str, list[tuple[float, float]]] = {}
    for judge, n, width, without in rows:
        if isinstance(n, int) and isinstance(width, float) and isinstance(without, float):
            helped.setdefault(judge, []).append((n, width))
            alone.setdefault(judge, []).append((n, without))
    drawn = {judge: points for judge, points in helped.items() if len(points) > 1}
    if not drawn:
        return {}
    widest = max(drawn, key=lambda judge: drawn[judge][-1][0])
    return drawn | {ALONE: alone[widest]}
