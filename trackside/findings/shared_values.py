"""Values of the runs without gaps, and their means."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from trackside.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class Shared:
    """Values [set, run, topic] without gaps; ``runs`` and ``topics`` are indices into the study's."""

    runs: Ints
    topics: Ints
    values: Floats

    @classmethod
    def complete(cls, values: Floats, topics: Ints) -> Self:
        """Select the runs without a missing value [set, run, topic]."""
        runs = np.flatnonzero(~np.isnan(values).any(axis=(0, 2))) if topics.size else np.arange(0)
        return cls(runs, topics, values[:, runs])

    def means(self) -> Floats:
        """Mean of each run under each set, [set, run]."""
        return np.array([means_of(values) for values in self.values])


def means_of(values: Floats) -> Floats:
    """Mean of each row [run, topic], summed topic by topic as trec_eval does; NaN without topics."""
    if not values.shape[1]:
        return np.full(len(values), np.nan)
    means: Floats = np.cumsum(values, axis=1)[:, -1] / values.shape[1]
    return means


def run_means(shared: Shared, set_index: int, run_count: int) -> tuple[float | None, ...]:
    """Mean of every run of the study under one of the sets; None for a run that is not in ``shared``."""
    means: list[float | None] = [None] * run_count
    for run, mean in zip(shared.runs.tolist(), means_of(shared.values[set_index]).tolist(), strict=True):
        means[run] = mean
    return tuple(means)
