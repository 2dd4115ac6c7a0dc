"""Estimates of runs' means from drawn grades and their chances, cross-fitted batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.loop.drawing import Batch, Beliefs
from trackside.loop.effects import Expectation
from trackside.loop.targets import Target
from trackside.statistics.sampling import hajek_covariance

FEWEST_GRADED = 10  # graded pairs of a batch that a variance needs


@dataclass(frozen=True)
class Look:
    """The estimated means [run], their covariance [run, run], and the weight of each batch (0: not used)."""

    means: Floats
    covariance: Floats
    weights: tuple[float, ...]

    @property
    def errors(self) -> Floats:
        """Standard errors of the means."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0))

    @property
    def gap_errors(self) -> Floats:
        """Standard errors of the differences [run, run]."""
        diagonal = np.diag(self.covariance)
        return np.sqrt(np.maximum(diagonal[:, None] + diagonal - 2 * self.covariance, 0))


def look(
    beliefs: Sequence[Beliefs],
    target: Target,
    grades: Ints,
    batches: Sequence[Batch],
    prefixes: Sequence[int],
    rng: np.random.Generator,
    *,
    has_fixed_weights: bool = False,
) -> Look | None:
    """Estimate every run's mean; None while no batch has ``FEWEST_GRADED`` finished pairs.

    ``grades`` [pair] are negative without a grade: such a pair of a finished prefix keeps what the model
    expects. ``beliefs`` by version of the judges, calibrated to all grades.
    """
    if (grades >= 0).all():
        means = target.values(grades).mean(axis=0)
        return Look(means, np.zeros((len(means),) * 2), (0.0,) * len(batches))
    parts = [
        _part(beliefs[batch.version], target, grades, batch, prefix, rng, is_fixed=has_fixed_weights)
        if prefix >= FEWEST_GRADED
        else None
        for batch, prefix in zip(batches, prefixes, strict=True)
    ]
    total = sum(part.precision for part in parts if part)
    if not total:
        return None
    weights = tuple(part.precision / total if part else 0.0 for part in parts)
    pairs = [(weight, part) for weight, part in zip(weights, parts, strict=True) if part]
    means = sum(weight * part.means for weight, part in pairs)
    covariance = sum(weight**2 * part.covariance + weight * part.remainder for weight, part in pairs)
    return Look(np.asarray(means), np.asarray(covariance), weights)


def finished(batch: Batch, grades: Ints, cannot: Flags) -> int:
    """The longest prefix of a batch's order that has grades, or cannot have them."""
    is_open = (grades[batch.order] < 0) & ~cannot[batch.order]
    return int(np.argmax(is_open)) if is_open.any() else len(batch.order)


@dataclass(frozen=True)
class _Part:
    means: Floats
    covariance: Floats
    remainder: Floats
    precision: float


def _part(
    beliefs: Beliefs,
    target: Target,
    grades: Ints,
    batch: Batch,
    prefix: int,
    rng: np.random.Generator,
    *,
    is_fixed: bool,
) -> _Part:
    """One batch's estimate: what a model without its grades expects before the draw, where pairs are known
    that were not open; plus the effects of its graded pairs over their chances.
    """
    chance = batch.chance * prefix / len(batch.order)
    is_known = (batch.chance == 0) & (grades >= 0)
    tails = beliefs.tails(np.flatnonzero(~is_known), rng, (grades, batch.order))
    expected = Expectation(target, grades, is_known, tails, rng)
    drawn = batch.order[:prefix][grades[batch.order[:prefix]] >= 0]
    effects = expected.phi(drawn, grades[drawn]) / len(target.universe.topics) / chance[drawn, None]
    means = expected.values.mean(axis=0) + effects.sum(axis=0)
    remainder, p = expected.remainder(rng), chance[expected.open]
    if is_fixed:
        count = int((batch.chance > 0).sum())
        precision = prefix / (count * max(count - prefix, 1))
    else:
        variance = expected.influence(centred=0.0)[p > 0] * (1 / p[p > 0] - 1)
        precision = 1 / (variance.sum() + np.diag(remainder).mean() + 1e-18)
    return _Part(means, hajek_covariance(effects, chance[drawn]), remainder, float(precision))
