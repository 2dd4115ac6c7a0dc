"""Does one set of qrels favour a family of runs: Relative Delta, and a judge's bias against people.

Source: Relative Delta of Dai et al. 2023 as the track paper of 2024 uses it, over the means of runs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.core.arrays import Flags, Floats, paired
from evaluation.core.estimate import Estimate, Reason
from evaluation.core.permutation import DRAWS, PermutationTest, choices


@dataclass(frozen=True, slots=True)
class FamilyDelta:
    """Relative Delta in per cent, the two means it compares and how many runs each has."""

    delta: Estimate
    family_mean: Estimate
    other_mean: Estimate
    family_count: int
    other_count: int


def relative_delta(means: ArrayLike, in_family: ArrayLike) -> FamilyDelta:
    """Relative Delta = 2 (mean_A - mean_B) / (mean_A + mean_B) 100 %, A the runs of the family, B the others.

    `means` holds one mean value a run, `in_family` one flag a run. Undefined when either side has no run, and
    when both means are zero.
    """
    values, flags = _runs(means, in_family)
    inside, outside = values[flags], values[~flags]
    family, other = _mean(inside), _mean(outside)
    return FamilyDelta(_delta(values, flags), family, other, inside.size, outside.size)


def relative_delta_test(
    means: ArrayLike, in_family: ArrayLike, *, seed: int, draws: int = DRAWS
) -> PermutationTest:
    """Permutation test of Relative Delta: how often do other choices of runs reach as large a value."""
    values, flags = _runs(means, in_family)
    observed = _delta(values, flags)
    if observed.value is None:
        return PermutationTest.undefined(observed)
    arrangements = choices(values.size, int(flags.sum()), seed=seed, draws=draws)
    return arrangements.test(observed.value, lambda rows: _deltas(values, rows))


def judge_bias(judge_means: ArrayLike, human_means: ArrayLike, in_family: ArrayLike) -> Estimate:
    """A judge's bias in points: its Relative Delta less people's; undefined when either is."""
    values, reference, flags = _both(judge_means, human_means, in_family)
    return _delta(values, flags).minus(_delta(reference, flags))


def judge_bias_test(
    judge_means: ArrayLike, human_means: ArrayLike, in_family: ArrayLike, *, seed: int, draws: int = DRAWS
) -> PermutationTest:
    """Permutation test of a judge's bias: both sets of qrels see the same other choice of runs."""
    values, reference, flags = _both(judge_means, human_means, in_family)
    observed = judge_bias(values, reference, flags)
    if observed.value is None:
        return PermutationTest.undefined(observed)
    arrangements = choices(values.size, int(flags.sum()), seed=seed, draws=draws)
    return arrangements.test(observed.value, lambda rows: _deltas(values, rows) - _deltas(reference, rows))


def deltas_of_rows(means: Floats, in_family: Flags) -> Floats:
    """Relative Delta of each row of a (rows, runs) array for one family; NaN where both means are zero."""
    family, other = means[:, in_family].mean(axis=1), means[:, ~in_family].mean(axis=1)
    total = family + other
    delta: Floats = np.divide(200 * (family - other), total, out=np.full(len(means), np.nan), where=total > 0)
    return delta


def _both(
    judge_means: ArrayLike, human_means: ArrayLike, in_family: ArrayLike
) -> tuple[Floats, Floats, Flags]:
    values, reference = paired(judge_means, human_means)
    return values, reference, _runs(values, in_family)[1]


def _runs(means: ArrayLike, in_family: ArrayLike) -> tuple[Floats, Flags]:
    values, flags = np.asarray(means, dtype=np.float64), np.asarray(in_family, dtype=np.bool_)
    if values.shape != flags.shape:
        raise ValueError(f"{values.size} means do not go with {flags.size} families")
    if (values < 0).any():
        raise ValueError("Relative Delta is defined for means of at least 0")
    return values, flags


def _mean(values: Floats) -> Estimate:
    return Estimate.of(values.mean()) if values.size else Estimate.undefined(Reason.EMPTY_FAMILY)


def _delta(values: Floats, flags: Flags) -> Estimate:
    if flags.all() or not flags.any():
        return Estimate.undefined(Reason.EMPTY_FAMILY)
    if not values.any():
        return Estimate.undefined(Reason.ALL_ZERO)
    return Estimate.of(_deltas(values, flags[None])[0])


def _deltas(values: Floats, rows: Flags) -> Floats:
    """Relative Delta in per cent of each row of flags; values are at least 0 and not all 0."""
    count = rows.sum(axis=1)
    inside = rows @ values
    family, other = inside / count, (values.sum() - inside) / (values.size - count)
    delta: Floats = 200 * (family - other) / (family + other)
    return delta
