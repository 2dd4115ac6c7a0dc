"""Arrangements for permutation tests: all of them while they are few, else a seeded sample."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import Self

import numpy as np

from evaluation.core.arrays import Flags, Floats, Ints
from evaluation.core.estimate import Estimate

MOST_EXACT = 200_000
"""Arrangements up to this number are all tried."""

DRAWS = 20_000
"""Random arrangements otherwise: the standard error of p = 0.05 is then 0.0015."""

ROUNDING = 1e-10
"""Statistics this near to the observed one count as equal: sums in another order differ by about 1e-14."""


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A two-sided permutation p and how it was found.

    `smallest` is the least p that any result could have had with these values and group sizes; `seed` is
    None when all arrangements were tried.
    """

    p: Estimate
    arrangements: int
    seed: int | None
    smallest: float | None

    @classmethod
    def undefined(cls, statistic: Estimate) -> Self:
        """The test of a statistic that is itself undefined, with the statistic's reason."""
        return cls(statistic, 0, None, None)

    @property
    def is_exact(self) -> bool:
        """Whether every arrangement was tried."""
        return self.seed is None


@dataclass(frozen=True, slots=True)
class Arrangements:
    """Rows of an (arrangements, places) array of flags; `seed` is None when the rows are all there are."""

    rows: Flags
    seed: int | None

    def test(self, observed: float, statistic: Callable[[Flags], Floats]) -> PermutationTest:
        """Two-sided p of `observed` among the statistics of the rows."""
        return two_sided(observed, statistic(self.rows), self.seed)


def two_sided(observed: float, others: Floats, seed: int | None) -> PermutationTest:
    """Two-sided p of `observed`: the share of the other arrangements' statistics as far from zero.

    `seed` is None when `others` are all arrangements. A sample counts the observed arrangement as one of its
    own, so that p is never 0 (Phipson and Smyth 2010).
    """
    sizes = np.abs(others)
    reached = int(np.count_nonzero(sizes >= abs(observed) - ROUNDING))
    total = len(sizes)
    if seed is None:
        smallest = np.count_nonzero(sizes >= sizes.max() - ROUNDING) / total
        return PermutationTest(Estimate.of(reached / total), total, None, smallest)
    return PermutationTest(Estimate.of((reached + 1) / (total + 1)), total, seed, 1 / (total + 1))


@lru_cache(maxsize=16)
def choices(n: int, chosen: int, *, seed: int, draws: int = DRAWS) -> Arrangements:
    """Ways to choose `chosen` of n places, as rows of flags: all up to MOST_EXACT, else seeded ones.

    The rows are kept for the next family of that size: nobody may write to them.
    """
    count = comb(n, chosen)
    if count <= MOST_EXACT:
        places = np.fromiter(
            (place for row in combinations(range(n), chosen) for place in row), np.intp, count * chosen
        ).reshape(count, chosen)
        rows = np.zeros((count, n), dtype=np.bool_)
        np.put_along_axis(rows, places, values=True, axis=1)
        rows.flags.writeable = False
        return Arrangements(rows, None)
    order = np.random.default_rng(seed).random((draws, n)).argsort(axis=1)
    return Arrangements(order < chosen, seed)


def orders(n: int, *, seed: int, draws: int = DRAWS) -> tuple[Ints, int | None]:
    """Orders of n places, one a row: all up to MOST_EXACT (8 places), else seeded ones and their seed."""
    if factorial(n) <= MOST_EXACT:
        return np.array(list(permutations(range(n))), dtype=np.int64).reshape(-1, n), None
    return np.random.default_rng(seed).random((draws, n)).argsort(axis=1), seed


@lru_cache(maxsize=16)
def sign_flips(n: int, *, seed: int, draws: int = DRAWS) -> Arrangements:
    """Ways to flip the signs of n differences, as rows of flags: all up to MOST_EXACT, else seeded ones.

    The rows are kept for the next pair of runs: nobody may write to them.
    """
    if 2**n <= MOST_EXACT:
        codes = np.arange(2**n)[:, None]
        rows, drawn = (codes >> np.arange(n)) & 1 == 1, None
    else:
        rows, drawn = np.random.default_rng(seed).random((draws, n)) < 0.5, seed
    rows.flags.writeable = False
    return Arrangements(rows, drawn)
