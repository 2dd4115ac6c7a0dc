"""Quantile mappings from a judge's raw scores to grades: fitted once, frozen, then applied to any score."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints
from trackside.errors import InputError

GRADES = (0, 1, 2)


class NothingToMap(InputError):
    """No pair has a score to fit a mapping on."""


@dataclass(frozen=True, slots=True)
class QuantileMapping:
    """Cuts at quantiles: by `paper-2024` below the first 0, up to and including the second 1, above it 2.

    On any scale a score equal to the first threshold gets the second grade, one equal to a later threshold
    the grade below it. `thresholds` are in the units of the raw score, one fewer than the grades of `scale`;
    `n` is the number of scores that they were fitted on.
    """

    thresholds: tuple[float, ...]
    n: int
    name: str = "paper-2024"
    scale: tuple[int, ...] = GRADES

    @property
    def cuts(self) -> tuple[float, ...]:
        """The scores at which the grade changes."""
        return self.thresholds

    def grades(self, scores: ArrayLike) -> Ints:
        """Return the grade of each raw score; scores must be finite, so omit pairs without a score."""
        values = finite(scores)
        first, *later = self.thresholds
        steps = sum(((values > cut).astype(np.int64) for cut in later), (values >= first).astype(np.int64))
        return np.asarray(self.scale, dtype=np.int64)[steps]


def default_quantiles(grade_count: int) -> tuple[float, ...]:
    """Return the cuts' quantiles: half of the pairs get the lowest grade, each next grade half of the rest.

    For three grades 0.5 and 0.75, as by `paper-2024`; the two highest grades have equal shares.
    """
    return tuple(1 - 0.5**step for step in range(1, grade_count))


def fit_quantiles(
    scores: ArrayLike, *quantiles: float, name: str, scale: tuple[int, ...] = GRADES
) -> QuantileMapping:
    """Fit thresholds at rising quantiles of the scores, one fewer than grades (numpy's "linear", R's type 7).

    Raises NothingToMap without scores, ValueError for a score that is not finite.
    """
    values = finite(scores)
    if not values.size:
        raise NothingToMap("No pair has a raw score. Let the judge score the pool first.")
    thresholds = np.quantile(values, quantiles, method="linear").tolist()
    return QuantileMapping(tuple(thresholds), values.size, name, scale)


def fit_per_topic(
    scores: Mapping[str, ArrayLike], scale: tuple[int, ...] = GRADES
) -> dict[str, QuantileMapping]:
    """Fit the default quantiles on each topic's scores alone, for judges whose scale shifts by topic.

    Every topic then has about the same shares of grades, even if people would grade it differently. Raises
    NothingToMap for a topic without scores.
    """
    quantiles = default_quantiles(len(scale))
    return {
        topic: fit_quantiles(raw, *quantiles, name="per-topic", scale=scale) for topic, raw in scores.items()
    }


def finite(scores: ArrayLike) -> Floats:
    """Return the scores as floats; ValueError if one is not finite: omit pairs without a score."""
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a raw score is not a finite number: omit pairs without a score")
    return values
