"""How well predicted chances came true: reliability curve, expected calibration error, Brier score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints

BINS = 10
RESAMPLES = 500
Bounds = tuple[float, float, float]
"""A value and the ends of its 95 % interval over topics."""


@dataclass(frozen=True)
class Bin:
    """Predictions in a tenth of the chances: their number and weighted mean, and the share that came true."""

    count: int
    predicted: float
    observed: Bounds


@dataclass(frozen=True)
class Reliability:
    """The bins that have predictions, the weighted mean distance of their predicted and observed shares, and
    the weighted mean squared error of the predictions.
    """

    bins: tuple[Bin, ...]
    ece: Bounds
    brier: Bounds


def reliability(
    chance: Floats, reached: Floats, weights: Floats, topic: Ints, rng: np.random.Generator
) -> Reliability:
    """Of predicted chances [pair] and 0 or 1 as it came [pair], weighted; intervals resample topics."""
    tenth, topics = np.minimum((chance * BINS).astype(int), BINS - 1), int(topic.max()) + 1
    by_topic = np.zeros((3, topics, BINS))
    for table, column in zip(by_topic, (weights, weights * chance, weights * reached), strict=True):
        np.add.at(table, (topic, tenth), column)
    squares = np.bincount(topic, weights * (chance - reached) ** 2, topics)
    times = rng.multinomial(topics, np.full(topics, 1 / topics), size=RESAMPLES).astype(float)
    times = np.concatenate([np.ones((1, topics)), times])  # the first row is the sample itself
    weight, predicted, observed = (times @ table for table in by_topic)
    total = np.maximum(weight.sum(axis=1), 1e-300)
    shares = np.divide(observed, weight, out=np.full_like(weight, np.nan), where=weight > 0)
    counts = np.bincount(tenth, minlength=BINS)
    bins = tuple(
        Bin(int(counts[row]), float(predicted[0, row] / weight[0, row]), _bounds(shares[:, row]))
        for row in np.flatnonzero(counts).tolist()
    )
    return Reliability(
        bins, _bounds(np.abs(predicted - observed).sum(axis=1) / total), _bounds(times @ squares / total)
    )


def _bounds(values: Floats) -> Bounds:
    """The first value, and 1.96 standard deviations of the others around it, from 0 to 1."""
    value, reach = float(values[0]), 1.96 * float(np.nanstd(values[1:]))
    return value, max(value - reach, 0.0), min(value + reach, 1.0)


FOLDS = 10


def chances_of_other_topics(scores: Floats, reached: Floats, topic: Ints) -> Floats:
    """Chances [pair] that rise with the score [pair], each fitted to 0 or 1 [pair] of other topics only.

    Topics are dealt to FOLDS folds by their number. The fit is isotonic, linear between the known scores.
    """
    from scipy.optimize import isotonic_regression  # takes longer to load than the rest of a page

    chances = np.empty(len(scores))
    for fold in range(FOLDS):
        is_held = topic % FOLDS == fold
        if not is_held.any():
            continue
        known, index = np.unique(scores[~is_held], return_inverse=True)
        counts = np.bincount(index)
        shares = np.bincount(index, reached[~is_held]) / counts
        chances[is_held] = np.interp(scores[is_held], known, isotonic_regression(shares, weights=counts).x)
    return chances
