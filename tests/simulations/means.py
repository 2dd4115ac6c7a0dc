"""Coverage of intervals of means and of differences of means over topics drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, ndtr, ndtri, stdtrit

from evaluation.core.statistics.estimate import IntervalMethod
from evaluation.core.uncertainty import difference_intervals, mean_intervals
from tests.simulations.rows import COVERAGE, Row, share_held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evaluation.core.arrays import Floats
    from evaluation.core.uncertainty import Ends

TOPICS = (10, 25, 50, 74)
BOUNDS = (0.0, 1.0)
MANY = 4_000_000  # values whose mean is the truth
RESAMPLES = 500  # of the methods that are compared with ours


def _like_ndcg(random: np.random.Generator, n: int) -> Floats:
    ease = expit(random.normal(0, 1.4, n))
    return np.clip(1.5 * ease * random.beta(2, 2, n), 0, 1)


def _mostly_zero(share: float) -> Callable[[np.random.Generator, int], Floats]:
    return lambda random, n: np.where(random.random(n) < share, 0, _like_ndcg(random, n))


def _reciprocal(random: np.random.Generator, n: int) -> Floats:
    rank = random.geometric(np.clip(0.6 * expit(random.normal(0, 1.4, n)), 0.03, 1))
    return np.where(rank > 10, 0, 1 / rank)


def _sparse_difference(random: np.random.Generator, n: int) -> Floats:
    size = random.choice([1 / 4, 1 / 3, 1 / 2, 2 / 3, 1], n) * random.choice([-1, 1], n, p=[0.3, 0.7])
    return np.where(random.random(n) < 0.7, 0, size)


def _difference(random: np.random.Generator, n: int) -> Floats:
    topic = random.normal(0, 1.4, n)
    one, two = (expit(topic + random.normal(shift, 0.8, n)) for shift in (0.3, 0))
    return one - two


VALUES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "like nDCG@10": _like_ndcg,
    "like AP": lambda random, n: random.beta(0.5, 2.5, n),
    "like AP, hard": lambda random, n: random.beta(0.3, 6, n),
    "like RR@10": _reciprocal,
    "like P@10": lambda random, n: random.binomial(10, random.beta(0.8, 2, n)) / 10,
    "like P@10, hard": lambda random, n: random.binomial(10, random.beta(0.4, 5, n)) / 10,
    "near one": lambda random, n: 1 - random.beta(0.5, 4, n),
    "3 of 5 zero": _mostly_zero(0.6),
    "4 of 5 zero": _mostly_zero(0.8),
    "9 of 10 zero": _mostly_zero(0.9),
    "RR@10, half of them 1": lambda random, n: np.where(random.random(n) < 0.5, 1, _reciprocal(random, n)),
    "0 or 1": lambda random, n: (random.random(n) < 0.6).astype(np.float64),
}
DIFFERENCES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "of like nDCG@10": _difference,
    "of like RR@10": lambda random, n: _reciprocal(random, n) - _reciprocal(random, n),
    "7 of 10 zero": _sparse_difference,
}


def means(tracks: int, seed: int) -> Iterator[Row]:
    """Means of one run; columns after `width` are methods that were rejected."""
    for setting, draw in VALUES.items():
        yield from _rows(
            "mean of a run", setting, draw, tracks, seed, lambda x: mean_intervals(x, bounds=BOUNDS)
        )


def differences(tracks: int, seed: int) -> Iterator[Row]:
    """Means of the differences of two runs."""
    for setting, draw in DIFFERENCES.items():
        yield from _rows("difference of two runs", setting, draw, tracks, seed, difference_intervals)


def _rows(
    statistic: str,
    setting: str,
    draw: Callable[[np.random.Generator, int], Floats],
    tracks: int,
    seed: int,
    ends_of: Callable[[Floats], Ends],
) -> Iterator[Row]:
    random = np.random.default_rng(seed)
    truth = float(draw(random, MANY).mean())
    for topics in TOPICS:
        values = draw(random, tracks * topics).reshape(tracks, topics)
        ends = ends_of(values)
        given = ~np.isnan(ends.low)
        figures = {
            "truth": truth,
            "given": float(given.mean()),
            COVERAGE: share_held(ends.low, ends.high, truth),
            "width": float(np.median((ends.high - ends.low)[given])) if given.any() else None,
            "two parts": float(np.mean([each is IntervalMethod.TWO_PART for each in ends.methods])),
        }
        others = {
            name: share_held(np.where(given, low, np.nan), high, truth)
            for name, (low, high) in _rejected(values, random).items()
        }
        yield Row(statistic, setting, topics, tracks, figures | others)


def _rejected(values: Floats, random: np.random.Generator) -> dict[str, tuple[Floats, Floats]]:
    """Student's t, the percentile bootstrap and BCa."""
    topics = values.shape[1]
    mean = values.mean(axis=1)
    half = stdtrit(topics - 1, 0.975) * values.std(axis=1, ddof=1) / np.sqrt(topics)
    counts = random.multinomial(topics, np.full(topics, 1 / topics), RESAMPLES).astype(np.float64)
    samples = np.sort(values @ counts.T / topics, axis=1)
    below = (samples < mean[:, None]).mean(axis=1) + (samples == mean[:, None]).mean(axis=1) / 2
    bias = ndtri(np.clip(below, 1 / RESAMPLES, 1 - 1 / RESAMPLES))
    deviations = values - mean[:, None]
    squares = np.maximum((deviations**2).sum(axis=1), 1e-100)
    acceleration = (deviations**3).sum(axis=1) / (6 * squares**1.5)

    def end(z: float) -> Floats:
        level = ndtr(bias + (bias + z) / (1 - acceleration * (bias + z)))
        place = np.clip(np.rint(level * RESAMPLES - 0.5), 0, RESAMPLES - 1).astype(np.int64)
        return np.take_along_axis(samples, place[:, None], axis=1)[:, 0]

    low, high = np.quantile(samples, (0.025, 0.975), axis=1)
    return {
        "Student": (mean - half, mean + half),
        "percentile": (low, high),
        "BCa": (end(ndtri(0.025)), end(ndtri(0.975))),
    }
