"""How many topics tell two runs apart, by the power of the paired t-test (Sakai's topic set size design)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.statistics.comparison.pairs import complete_topics
from trackside.text.shown import Shown

MOST_TOPICS = 1_000_000
FAR = 8.0  # noncentrality from which the other tail is below 1e-15


@dataclass(frozen=True, slots=True, repr=False)
class TopicPlan(Shown):
    """The topics that a two-sided paired t-test at ``alpha`` needs to find ``difference`` with ``power``.

    ``deviation`` is the standard deviation over topics of the difference of two runs, from the mean variance
    of all pairs. ``topics`` are needed for such a pair, ``most_topics`` for the pair that varies most.
    ``detectable`` is the difference that the ``topic_count`` topics at hand find with this power.
    """

    difference: float
    power: float
    alpha: float
    run_count: int
    topic_count: int
    deviation: float
    most_deviation: float
    topics: int
    most_topics: int
    detectable: float


def plan_from(
    values: Floats, runs: Sequence[str], *, difference: float = 0.05, power: float = 0.8, alpha: float = 0.05
) -> TopicPlan:
    """Plan by a (topics, runs) table of values. Raises InputError."""
    _check(difference, power, alpha)
    table = complete_topics(values, runs)
    covariances = np.cov(table, rowvar=False)
    run_variances = covariances.diagonal()
    one, two = np.triu_indices(len(runs), 1)
    variances = (run_variances[one] + run_variances[two] - 2 * covariances[one, two]).clip(0)
    deviation, largest = math.sqrt(variances.mean()), math.sqrt(variances.max())
    if not deviation > 1e-12:
        raise InputError("all runs differ by the same on every topic. Choose another measure or other runs.")
    return TopicPlan(
        difference=difference,
        power=power,
        alpha=alpha,
        run_count=len(runs),
        topic_count=len(table),
        deviation=deviation,
        most_deviation=largest,
        topics=topics_needed(difference / deviation, power=power, alpha=alpha),
        most_topics=topics_needed(difference / largest, power=power, alpha=alpha),
        detectable=deviation * detectable_effect(len(table), power=power, alpha=alpha),
    )


def _check(difference: float, power: float, alpha: float) -> None:
    if not 0 < difference < math.inf:
        raise InputError(f"difference {difference}: give one above 0, such as 0.05.")
    if not 0 < alpha < power < 1:
        raise InputError(f"power {power}, alpha {alpha}: give 0 < alpha < power < 1, such as 0.8 and 0.05.")


def paired_t_power(effect: float, topics: int, *, alpha: float) -> float:
    """The probability that a two-sided paired t-test finds a difference of ``effect`` standard deviations."""
    from scipy.special import nctdtr, stdtrit  # scipy is slow to load

    freedom, shift = topics - 1.0, effect * math.sqrt(topics)
    critical = stdtrit(freedom, 1 - alpha / 2)
    other_tail = nctdtr(freedom, shift, -critical) if shift < FAR else 0.0
    return float(1 - nctdtr(freedom, shift, critical) + other_tail)


def topics_needed(effect: float, *, power: float, alpha: float) -> int:
    """The fewest topics with this power. Raises InputError above MOST_TOPICS."""
    low, high = 1, 2
    while paired_t_power(effect, high, alpha=alpha) < power:
        low, high = high, 2 * high
        if low > MOST_TOPICS:
            raise InputError(f"more than {MOST_TOPICS:,} topics are needed. Give a larger difference.")
    while high - low > 1:
        middle = (low + high) // 2
        if paired_t_power(effect, middle, alpha=alpha) < power:
            low = middle
        else:
            high = middle
    return high


def detectable_effect(topics: int, *, power: float, alpha: float) -> float:
    """The least difference, in standard deviations, that so many topics find with this power."""
    from scipy.optimize import brentq

    highest = 1.0
    while paired_t_power(highest, topics, alpha=alpha) < power:
        highest *= 2
    return float(brentq(lambda effect: paired_t_power(effect, topics, alpha=alpha) - power, 0.0, highest))
