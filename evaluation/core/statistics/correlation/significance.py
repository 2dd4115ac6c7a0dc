"""Significance of a correlation of run values: exact distribution, or permutation of the runs of one side."""

from collections.abc import Callable
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Floats, paired
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows, pair_counts
from evaluation.core.statistics.correlation.rows import in_blocks
from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.core.statistics.permutation import DRAWS, PermutationTest, orders, two_sided


def kendall_test(x: ArrayLike, y: ArrayLike, *, seed: int, draws: int = DRAWS) -> PermutationTest:
    """Two-sided p of Kendall's tau-b over runs: by the exact distribution without ties, else by permutation.

    Undefined if tau-b is.
    """
    left, right = paired(x, y)
    exact = exact_kendall_p(left, right)
    if exact.value is None:
        return correlation_test(left, right, kendall_tau_b_of_rows, seed=seed, draws=draws)
    arrangements = factorial(left.size)
    return PermutationTest(exact, arrangements, None, min(1.0, 2 / arrangements))


def correlation_test(
    x: ArrayLike,
    y: ArrayLike,
    statistic: Callable[[Floats, Floats], Floats],
    *,
    seed: int,
    draws: int = DRAWS,
) -> PermutationTest:
    """Two-sided p of any correlation by all permutations of y over the runs (up to 8 runs), else `draws`.

    `statistic` takes two (permutations, runs) arrays and returns one value per row, NaN if undefined.
    """
    left, right = paired(x, y)
    observed = statistic(left[None], right[None])[0]
    if np.isnan(observed):
        return PermutationTest.undefined(
            Estimate.undefined(Reason.TOO_FEW if left.size < 2 else Reason.CONSTANT)
        )
    rows, used_seed = orders(left.size, seed=seed, draws=draws)
    others = in_blocks(statistic, np.broadcast_to(left, rows.shape), right[rows])
    return two_sided(float(observed), others, used_seed)


def exact_kendall_p(x: ArrayLike, y: ArrayLike) -> Estimate:
    """Two-sided p of Kendall's tau from its exact distribution; undefined with ties and below two values.

    The number of concordant pairs of a random order is a sum of independent uniform integers 0 to k - 1.
    """
    counts = pair_counts(x, y)
    if counts.tied:
        return Estimate.undefined(Reason.TIES)
    n = np.asarray(x).size
    if n < 2:
        return Estimate.undefined(Reason.TOO_FEW)
    less = min(counts.concordant, counts.discordant)
    return Estimate.of(min(1.0, kendall_tail(n, less)))


def kendall_tail(n: int, discordant: int) -> float:
    """Two-sided p of at most this many discordant pairs (half of all or fewer) in random orders of n runs."""
    return 2 * float(_at_most(n)[discordant])


@lru_cache(maxsize=64)
def _at_most(n: int) -> Floats:
    """Chance of at most 0, 1, ... discordant pairs, up to half of all pairs.

    Inserting the k-th run adds 0 to k - 1 pairs, each with the same chance, so that each step is a mean over
    k neighbours.
    """
    half = n * (n - 1) // 4 + 1
    chances = np.zeros(half)
    chances[0] = 1.0
    for k in range(2, n + 1):
        sums = np.cumsum(chances)
        sums[k:] -= sums[:-k].copy()
        chances = sums / k
    chances = np.cumsum(chances)
    chances.flags.writeable = False
    return chances
