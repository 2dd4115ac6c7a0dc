"""Permutation tests: all arrangements up to `MOST_EXACT`, else a seeded sample."""

from dataclasses import dataclass
from functools import lru_cache

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
    """A two-sided permutation p, and whether every arrangement was tried."""

    p: Estimate
    is_exact: bool


def two_sided(observed: float, others: Floats, *, is_exact: bool) -> PermutationTest:
    """Two-sided p of `observed`: the share of the arrangements' statistics at least as far from zero.

    A sample also counts the observed arrangement, so that p is never 0 (Phipson and Smyth 2010).
    """
    reached = int(np.count_nonzero(np.abs(others) >= abs(observed) - ROUNDING))
    sampled = int(not is_exact)
    return PermutationTest(Estimate.of((reached + sampled) / (len(others) + sampled)), is_exact)


@lru_cache(maxsize=16)
def sign_flips(n: int, *, seed: int, draws: int = DRAWS) -> tuple[Flags, bool]:
    """Ways to flip the signs of n differences, as rows of flags, and whether these are all.

    The result is cached for the next pair of runs, so callers must not write to the rows.
    """
    is_exact = 2**n <= MOST_EXACT
    if is_exact:
        rows = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 == 1
    else:
        rows = np.random.default_rng(seed).random((draws, n)) < 0.5
    rows.flags.writeable = False
    return rows, is_exact
