"""How far a mean would move with other topics: percentile bootstrap over topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.measures.families import Summary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from evaluation.core.measures.evaluation import Evaluation

_BATCH = 100


def bootstrap_intervals(
    evaluation: Evaluation, *, seed: int, resamples: int = 1000, confidence: float = 0.95
) -> NDArray[np.float64]:
    """Lower and upper bound of each mean, shape [run, qrels, measure, 2].

    Topics are drawn with replacement, the same ones for every run and measure. NaN for measures that are not
    means of topics, and where a mean is undefined.
    """
    runs, sets, _, measures = evaluation.values.shape
    bounds = np.full((runs, sets, measures, 2), np.nan)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    is_mean = np.array([measure.family.summary is Summary.MEAN for measure in evaluation.measures])
    for index in range(sets):
        values = evaluation.values[:, index, evaluation.is_judged[index], :]
        means = _resampled_means(values, np.random.default_rng(seed), resamples)
        is_shown = is_mean & ~np.isnan(means).any(axis=0)
        bounds[:, index] = np.where(
            is_shown[..., None], np.moveaxis(np.quantile(means, tails, axis=0), 0, -1), np.nan
        )
    return bounds


def _resampled_means(
    values: NDArray[np.float64], random: np.random.Generator, resamples: int
) -> NDArray[np.float64]:
    """Means of values [run, topic, measure] over drawn topics that have a value: [resample, run, measure]."""
    topics = values.shape[1]
    is_defined = ~np.isnan(values)
    filled = np.where(is_defined, values, 0.0)
    means = []
    for start in range(0, resamples, _BATCH):
        size = min(_BATCH, resamples - start)
        times = random.multinomial(topics, np.full(topics, 1 / topics), size=size).astype(np.float64)
        totals = np.einsum("bt,rtm->brm", times, filled, optimize=True)
        counts = np.einsum("bt,rtm->brm", times, is_defined.astype(np.float64), optimize=True)
        means.append(np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0))
    return np.concatenate(means)
