"""Arrangements for permutation tests: all up to `MOST_EXACT`, else a seeded sample."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from evaluation.core.arrays import Flags, Floats
from evaluation.core.statistics.estimate import Estimate

MOST_EXACT = 200_000
"""Most arrangements of an exact test."""

DRAWS = 20_000
"""Random arrangements of a sampled test: the standard error of p = 0.05 is 0.0015."""

ROUNDING = 1e-10
"""Statistics within this distance of the observed one are equal: sums in another order differ by 1e-14."""


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A two-sided permutation p and how it was computed.

    `smallest` is the least possible p with these values and group sizes; `seed` is None if all arrangements
    were tried.
    """

    p: Estimate
    arrangements: int
    seed: int | None
    smallest: float | None

    @classmethod
    def undefined(cls, statistic: Estimate) -> Self:
        """Return the test of an undefined statistic, with the statistic's reason."""
        return cls(statistic, 0, None, None)

    @property
    def is_exact(self) -> bool:
        """Whether every arrangement was tried."""
        return self.seed is None


@dataclass(frozen=True, slots=True)
class Arrangements:
    """Flags (arrangements, places); `seed` is None if the rows are all possible arrangements."""

    rows: Flags
    seed: int | None

    def test(self, observed: float, statistic: Callable[[Flags], Floats]) -> PermutationTest:
        """Two-sided p of `observed` among the statistics of the rows."""
        return two_sided(observed, statistic(self.rows), self.seed)


def two_sided(observed: float, others: Floats, seed: int | None) -> PermutationTest:
    """Two-sided p of `observed`: the share of the arrangements' statistics at least as far from zero.

    `seed` is None if `others` are all arrangements. A sample also counts the observed arrangement, so that p
    is never 0 (Phipson and Smyth 2010).
    """
    sizes = np.abs(others)
    reached = int(np.count_nonzero(sizes >= abs(observed) - ROUNDING))
    total = len(sizes)
    if seed is None:
        smallest = np.count_nonzero(sizes >= sizes.max() - ROUNDING) / total
        return PermutationTest(Estimate.of(reached / total), total, None, smallest)
    return PermutationTest(Estimate.of((reached + 1) / (total + 1)), total, seed, 1 / (total + 1))


@lru_cache(maxsize=16)
def sign_flips(n: int, *, seed: int, draws: int = DRAWS) -> Arrangements:
    """Ways to flip the signs of n differences, as rows of flags: all up to MOST_EXACT, else seeded ones.

    The result is cached for the next pair of runs, so callers must not write to the rows.
    """
    if 2**n <= MOST_EXACT:
        codes = np.arange(2**n)[:, None]
        rows, drawn = (codes >> np.arange(n)) & 1 == 1, None
    else:
        rows, drawn = np.random.default_rng(seed).random((draws, n)) < 0.5, seed
    rows.flags.writeable = False
    return Arrangements(rows, drawn)
