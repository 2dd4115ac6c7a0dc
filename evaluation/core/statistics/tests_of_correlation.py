"""Significance of a correlation of run values: exact distribution, or permutation of the runs of one side."""

from collections.abc import Callable
from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Floats, paired
from evaluation.core.statistics.correlation import kendall_tau_b_of_rows, pair_counts
from evaluation.core.statistics.correlation_rows import in_blocks
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
    chances = np.ones(1)
    for k in range(2, n + 1):
        chances = np.convolve(chances, np.full(k, 1 / k))
    less = min(counts.concordant, counts.discordant)
    return Estimate.of(min(1.0, 2 * float(chances[: less + 1].sum())))
