"""A mean under people's grades from a few topics that people graded and all topics that a model graded.

The regression estimator of survey sampling (Cochran 1977, ch. 7), which prediction-powered inference with a
fitted weight comes to (Angelopoulos et al. 2023): the model's mean over all topics, put right by how people
and model differ on the drawn ones. A worthless model gets a weight near 0 and does no harm. The target is
the mean over these N topics, had people graded them all.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Floats, Ints

LEAST = 4
"""Fewest topics with people's grades: two are spent on the line, and a spread needs two more."""


@dataclass(frozen=True, slots=True)
class PoweredMeans:
    """Estimates and the ends of their intervals, one a row; NaN with fewer than four graded topics."""

    estimate: Floats
    low: Floats
    high: Floats


def powered_means(people: Floats, model: Floats, drawn: Ints, *, level: float = 0.95) -> PoweredMeans:
    """The means of each row of (rows, topics) tables; only people's values of the ``drawn`` topics are used.

    ``drawn`` holds places of topics, (n,), or many choices of them, (choices, n): then results are (choices,
    rows), else (rows,).
    """
    n, total = drawn.shape[-1], people.shape[1]
    known, guessed = _drawn(people, drawn), _drawn(model, drawn)
    gap = model.mean(axis=1) - guessed.mean(axis=-1)
    truth, centred = (each - each.mean(axis=-1, keepdims=True) for each in (known, guessed))
    spread = np.einsum("...n,...n->...", centred, centred)
    weight = _ratio(np.einsum("...n,...n->...", centred, truth), spread)
    residual = truth - weight[..., None] * centred
    left = np.einsum("...n,...n->...", residual, residual) / max(n - 2, 1)
    variance = left * (1 / n - 1 / total + _ratio(gap**2, spread))
    return _with_ends(known.mean(axis=-1) + weight * gap, variance, n, 2, level)


def plain_means(people: Floats, drawn: Ints, *, level: float = 0.95) -> PoweredMeans:
    """The same from people's grades alone: Student's interval with the correction for a finite population."""
    known, n = _drawn(people, drawn), drawn.shape[-1]
    variance = known.var(axis=-1, ddof=1 if n > 1 else 0) * (1 / n - 1 / people.shape[1])
    return _with_ends(known.mean(axis=-1), variance, n, 1, level)


def _drawn(values: Floats, drawn: Ints) -> Floats:
    """Values of the drawn topics, ([choices,] rows, n)."""
    return np.moveaxis(values[:, drawn], 0, -2)


def _with_ends(estimate: Floats, variance: Floats, n: int, spent: int, level: float) -> PoweredMeans:
    from scipy.special import stdtrit

    if n < LEAST:
        nothing = np.full(estimate.shape, np.nan)
        return PoweredMeans(estimate, nothing, nothing)
    half = float(stdtrit(n - spent, (1 + level) / 2)) * np.sqrt(variance)
    return PoweredMeans(estimate, estimate - half, estimate + half)


def _ratio(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
    return ratio
