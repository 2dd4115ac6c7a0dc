"""Map a judge's raw scores to grades. A mapping is fitted once, frozen, and then applied to any score."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints
from trackside.errors import InputError


class NothingToMap(InputError):
    """No pair has a score to fit a mapping on."""


@dataclass(frozen=True, slots=True)
class QuantileMapping:
    """The rule `paper-2024`: below the first threshold 0, up to and including the second 1, above it 2.

    `thresholds` are in the units of the raw score, `n` is the number of scores that they were fitted on.
    """

    thresholds: tuple[float, float]
    n: int
    name: str = "paper-2024"

    def grades(self, scores: ArrayLike) -> Ints:
        """Return grade 0, 1 or 2 of each raw score; scores must be finite, so omit pairs without a score."""
        values = finite(scores)
        lower, upper = self.thresholds
        return (values >= lower).astype(np.int64) + (values > upper)

    @property
    def is_degenerate(self) -> bool:
        """Whether the thresholds coincide, so that only one score gets grade 1."""
        return self.thresholds[0] == self.thresholds[1]


def fit_paper_2024(scores: ArrayLike) -> QuantileMapping:
    """Fit thresholds at the 50 % and 75 % quantiles of all scores of a pool (numpy's "linear", R's type 7).

    Raises NothingToMap without scores, ValueError for a score that is not finite.
    """
    return fit_quantiles(scores, 0.5, 0.75, name="paper-2024")


def fit_quantiles(scores: ArrayLike, lower: float, upper: float, *, name: str) -> QuantileMapping:
    """Fit thresholds at two quantiles of the scores, each between 0 and 1; raises as `fit_paper_2024`."""
    values = finite(scores)
    if not values.size:
        raise NothingToMap("No pair has a raw score. Let the judge score the pool first.")
    first, second = np.quantile(values, (lower, upper), method="linear")
    return QuantileMapping((float(first), float(second)), values.size, name)


def fit_per_topic(scores: Mapping[str, ArrayLike]) -> dict[str, QuantileMapping]:
    """Fit the rule `paper-2024` on each topic's scores alone, for judges whose scale shifts by topic.

    Every topic then has about the same shares of grades, even if people would grade it differently. Raises
    NothingToMap for a topic without scores.
    """
    return {topic: fit_quantiles(own, 0.5, 0.75, name="per-topic") for topic, own in scores.items()}


def finite(scores: ArrayLike) -> Floats:
    """Return the scores as floats; ValueError if one is not finite: omit pairs without a score."""
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a raw score is not a finite number: omit pairs without a score")
    return values
