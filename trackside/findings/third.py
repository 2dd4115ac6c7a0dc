"""What a third person says about a family's excess, on the results that would narrow it most.

These results are chosen by judge against people, so their grades say nothing of agreement in general: they
enter no qrels. As the judge is above people there, people are too low there by chance alone, too: "too
little" is hard to reach, and "enough" proves nothing.
"""

from dataclasses import replace

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.findings.favour import by_effect
from trackside.findings.results import TakesFinding, ThirdFinding
from trackside.findings.verdicts import ThirdVerdict
from trackside.uncertainty.intervals import FEWEST_TOPICS, t_quantile

MOST = 50


def deciding_pairs(people: Ints, judge: Ints, exposure: Floats, pair_order: Ints, *, sign: int) -> Ints:
    """The `MOST` pairs of highest exposure x (judge's grade - people's grade), the highest first.

    ``sign`` is -1 if the family's excess is below 0. ``pair_order`` is the rank of each pair by topic and
    docno, which orders equal effects.
    """
    return by_effect(sign * exposure * (judge - people), pair_order)[:MOST]


def third_finding(
    topics: Ints, graders: list[Ints], judge: Ints, third: Ints, exposure: Floats, takes: TakesFinding
) -> ThirdFinding:
    """How far the graders are too low by a third person's grades of the chosen pairs.

    All are of the chosen pairs. ``graders`` are people, then the second assessor if there is one; they and
    ``third`` are negative without a grade. The grader who is less too low counts: both have to be.
    """
    is_graded = third >= 0
    people = graders[0]
    counts = ThirdFinding(
        chosen_count=third.size,
        graded_count=int(is_graded.sum()),
        as_judge_count=int((is_graded & (np.abs(third - judge) < np.abs(third - people))).sum()),
        as_people_count=int((is_graded & (np.abs(third - people) < np.abs(third - judge))).sum()),
    )
    slopes = [
        _slope(topics[both], (third - grades)[both].astype(np.float64), exposure[both])
        for grades in graders
        if (both := is_graded & (grades >= 0)).any()
    ]
    known = [slope for slope in slopes if slope is not None]
    if not known or len(known) < len(slopes):
        return counts
    too_low, low, high = (min(ends) for ends in zip(*known, strict=True))
    return replace(counts, too_low=too_low, low=low, high=high, verdict=_verdict(low, high, takes))


def _slope(topics: Ints, gaps: Floats, exposure: Floats) -> tuple[float, float, float] | None:
    """Grades a unit of exposure that the gaps are above 0, with the 95 % ends over topics; None if few."""
    _, of_pair = np.unique(topics, return_inverse=True)
    count, squares = int(of_pair.max()) + 1, float((exposure**2).sum())
    if count < FEWEST_TOPICS or not squares:
        return None
    slope = float((exposure * gaps).sum()) / squares
    scores = np.bincount(of_pair, weights=exposure * (gaps - slope * exposure))
    error = float(np.sqrt((scores**2).sum() * count / (count - 1))) / squares
    half_width = float(t_quantile(count - 1.0)) * error
    return slope, slope - half_width, slope + half_width


def _verdict(low: float, high: float, takes: TakesFinding) -> ThirdVerdict:
    """Compare with the smallest shortfall that would explain the excess, and with the estimated one."""
    if takes.too_low is None or takes.at_least is None:
        return ThirdVerdict.OPEN
    if high < takes.at_least:
        return ThirdVerdict.TOO_LITTLE
    return ThirdVerdict.ENOUGH if low > takes.too_low else ThirdVerdict.OPEN
