"""Values by stratum of topics, and their harmonic mean, in which no stratum offsets another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.statistics.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class StratumMean:
    """Mean value over the topics of a stratum, and their number."""

    mean: Estimate
    n: int


def stratum_means(
    values: Mapping[str, float], stratum_of: Mapping[str, str], names: Sequence[str]
) -> dict[str, StratumMean]:
    """Mean over the topics of each named stratum, in the order of `names`; undefined without topics."""
    grouped: dict[str, list[float]] = {name: [] for name in names}
    for topic, value in values.items():
        grouped[stratum_of[topic]].append(value)
    return {name: StratumMean(_mean(group), len(group)) for name, group in grouped.items()}


def harmonic_mean(values: Sequence[float | None]) -> Estimate:
    """Harmonic mean of values of at least 0, such as of seen and unseen topics (OVEN, eq. 2).

    0 if one of them is 0; undefined without values and if a stratum has none (None).
    """
    if not values:
        return Estimate.undefined(Reason.EMPTY)
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Estimate.undefined(Reason.EMPTY_STRATUM)
    if min(known) == 0:
        return Estimate.of(0.0)
    return Estimate.of(len(known) / sum(1 / value for value in known))


def _mean(values: ArrayLike) -> Estimate:
    array = np.asarray(values, dtype=np.float64)
    return Estimate.of(array.mean()) if array.size else Estimate.undefined(Reason.EMPTY_STRATUM)
