"""Does the judge grade the pairs of a stratum as people do?"""

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.grades import agreement_numbers
from trackside.statistics.agreement import coefficients, confusions_by_topic
from trackside.statistics.auprc import auprc_by_chance, auprc_without_each
from trackside.statistics.estimate import Estimate, Interval, Number, Reason
from trackside.text.shown import Shown
from trackside.uncertainty.intervals import LEVEL, jackknife_interval

FEWEST_PAIRS = 30
"""Fewest pairs of an interval: with 10 to 20 pairs of as many topics, intervals of kappa cover 91 to 99 %."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StratumFinding(Shown):
    """A judge's grades beside people's on the pairs of a stratum that both graded.

    ``same_grade`` is the accuracy; ``auprc_by_chance`` is the mean AUPRC of the same scores in any order.
    A number has an interval over new topics, or the reason why not. Kappa and AUPRC are undefined where
    people or the judge say the same of all pairs.
    """

    topic_count: int
    pair_count: int
    kappa: Number
    same_grade: Number
    auprc: Number
    auprc_by_chance: float | None


def stratum_finding(
    people: Ints, judge: Ints, scores: Floats, topics: Ints, *, scale: tuple[int, ...], level: int
) -> StratumFinding:
    """Compare grades, and the judge's scores with people's relevance, of pairs that both graded.

    All are one entry a pair. The scale ascends; relevant is a grade of at least ``level``. Raises InputError
    for grades off the scale.
    """
    is_relevant = people >= level
    by_topic = confusions_by_topic(people, judge, topics, scale)
    wanted = {name: coefficients(scale)[name] for name in ("kappa", "same grade")}
    numbers = agreement_numbers(by_topic, scale, wanted)
    kappa, same_grade, auprc = (
        _of_enough(number, people.size)
        for number in (numbers["kappa"], numbers["same grade"], _auprc(is_relevant, scores, topics))
    )
    return StratumFinding(
        topic_count=len(by_topic),
        pair_count=people.size,
        kappa=kappa,
        same_grade=same_grade,
        auprc=auprc,
        auprc_by_chance=None if auprc.value is None else auprc_by_chance(int(is_relevant.sum()), scores),
    )


def _auprc(is_relevant: Flags, scores: Floats, topics: Ints) -> Number:
    estimate, left_out = auprc_without_each(is_relevant, scores, topics)
    if estimate.value is None:
        return Number.of(Estimate.undefined(Reason.NO_RELEVANT if scores.size else Reason.NO_OVERLAP))
    if is_relevant.all() or np.ptp(scores) == 0:
        return Number(None, Reason.CONSTANT_GRADES)
    return Number.of(estimate, jackknife_interval(estimate.value, left_out, scale="share"))


def _of_enough(number: Number, pair_count: int) -> Number:
    """The number without an interval if it has too few pairs for one."""
    if number.value is None or pair_count >= FEWEST_PAIRS:
        return number
    return Number(number.value, None, Interval.undefined(Reason.TOO_FEW_PAIRS, LEVEL))


def scores_of(raw_scores: Floats, grades: Ints) -> Floats:
    """What orders a judge's pairs: its raw scores if each pair has one, else its grades."""
    return grades.astype(np.float64) if np.isnan(raw_scores).any() else raw_scores
