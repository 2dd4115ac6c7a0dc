"""Coefficients of agreement of many confusion matrices at once, for resampling topics.

Matrices are (matrices, first judge's grades, second judge's grades), in the order of the scale. "Relevant" is
a grade of at least the cut. A coefficient is NaN without items and where its denominator is 0; kappa and
alpha also where all grades are the same. `coefficients` and `reliability` define kappa, alpha and AC1/AC2.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.statistics.agreement.coefficients import KappaWeights, disagreement, kappa_of_matrices
from trackside.statistics.estimate import Estimate, Reason

Scale = tuple[int, ...]
MatrixStatistic = Callable[[Ints], Floats]


def kappa_max_of_matrices(matrices: Ints) -> Floats:
    """The largest unweighted kappa that the margins allow (Umesh et al. 1989); NaN where kappa is."""
    total = matrices.sum(axis=(1, 2)).astype(np.float64)
    rows, columns = matrices.sum(axis=2), matrices.sum(axis=1)
    reached = np.minimum(rows, columns).sum(axis=1) * total
    by_chance = (rows * columns).sum(axis=1)
    return _ratio(reached - by_chance, total**2 - by_chance)


def alpha_of_matrices(matrices: Ints) -> Floats:
    """Krippendorff's alpha, ordinal, of two judges without gaps; the scale is in ascending order."""
    coincidences = (matrices + matrices.transpose(0, 2, 1)).astype(np.float64)
    totals = coincidences.sum(axis=2)
    positions = np.cumsum(totals, axis=1) - totals / 2
    cost = np.square(positions[:, :, None] - positions[:, None, :])
    observed = (coincidences * cost).sum(axis=(1, 2)) * (totals.sum(axis=1) - 1)
    return 1 - _ratio(observed, np.einsum("bi,bij,bj->b", totals, cost, totals))


def gwet_of_matrices(matrices: Ints, *, scale: Scale, weights: KappaWeights | None = None) -> Floats:
    """Gwet's AC1, or AC2 with weights."""
    total = matrices.sum(axis=(1, 2))
    if len(scale) < 2:
        return np.full(len(matrices), np.nan)
    cost = disagreement(scale, weights)
    similar = 1 - cost / cost.max()
    shares = _ratio(matrices.sum(axis=1) + matrices.sum(axis=2), 2 * total[:, None])
    observed = _ratio((similar * matrices).sum(axis=(1, 2)), total)
    by_chance = similar.sum() / (len(scale) * (len(scale) - 1)) * (shares * (1 - shares)).sum(axis=1)
    return _ratio(observed - by_chance, 1 - by_chance)


def _kappa(halves: Ints) -> Floats:
    return kappa_of_matrices(halves, (0, 1))


def _precision(halves: Ints) -> Floats:
    """Share of the items relevant by the second judge that are relevant by the first."""
    return _ratio(halves[:, 1, 1], halves[:, :, 1].sum(axis=1))


def _recall(halves: Ints) -> Floats:
    """Share of the items relevant by the first judge that are relevant by the second."""
    return _ratio(halves[:, 1, 1], halves[:, 1].sum(axis=1))


def _overlap(halves: Ints) -> Floats:
    """Items relevant by both judges as a share of those relevant by at least one."""
    return _ratio(halves[:, 1, 1], halves.sum(axis=(1, 2)) - halves[:, 0, 0])


_OF_RELEVANT = (_precision, _recall, _overlap)


def _of_halves(matrices: Ints, *, statistic: MatrixStatistic, scale: Scale, cut: int) -> Floats:
    """A coefficient of the matrices collapsed to 2 x 2: grades below the cut, and of the cut or more."""
    is_high = (np.asarray(scale) >= cut).astype(np.int64)
    sides = np.array([1 - is_high, is_high])
    return statistic(np.einsum("xi,bij,yj->bxy", sides, matrices, sides))


def _mean_of_matrices(matrices: Ints, *, values: Floats) -> Floats:
    """Mean of the value of each item's two grades."""
    return _ratio((matrices * values).sum(axis=(1, 2)), matrices.sum(axis=(1, 2)))


def coefficients(scale: Scale) -> dict[str, MatrixStatistic]:
    """Every coefficient of agreement on a scale in ascending order, by its name in tables."""
    by_name: dict[str, MatrixStatistic] = {
        "kappa": partial(kappa_of_matrices, scale=scale),
        "kappa, linear": partial(kappa_of_matrices, scale=scale, weights="linear"),
        "kappa, quadratic": partial(kappa_of_matrices, scale=scale, weights="quadratic"),
        "ceiling of kappa": kappa_max_of_matrices,
        "alpha, ordinal": alpha_of_matrices,
        "AC1": partial(gwet_of_matrices, scale=scale),
        "AC2, quadratic": partial(gwet_of_matrices, scale=scale, weights="quadratic"),
        "same grade": partial(_mean_of_matrices, values=np.eye(len(scale))),
        "mean absolute error": partial(_mean_of_matrices, values=disagreement(scale, "linear")),
        "leniency": partial(_mean_of_matrices, values=np.subtract.outer(scale, scale).T),  # second less first
    }
    at_cuts = {"kappa": _kappa, "overlap": _overlap, "precision": _precision, "recall": _recall}
    for cut in scale[1:]:
        for name, statistic in at_cuts.items():
            by_name[f"{name}, {cut} or more"] = partial(_of_halves, statistic=statistic, scale=scale, cut=cut)
    return by_name


def alphas_at_cuts(scale: Scale) -> dict[str, MatrixStatistic]:
    """Alpha at each cut of a scale in ascending order, by its name in tables."""
    of_halves = partial(_of_halves, statistic=alpha_of_matrices, scale=scale)
    return {f"alpha, {cut} or more": partial(of_halves, cut=cut) for cut in scale[1:]}


def estimate_of(statistic: MatrixStatistic, matrix: Ints) -> Estimate:
    """Compute the coefficient of one matrix, or the reason why it is undefined."""
    value = statistic(matrix[None])[0]
    if not np.isnan(value):
        return Estimate.of(value)
    if not matrix.any():
        return Estimate.undefined(Reason.NO_OVERLAP)
    is_share = getattr(statistic, "keywords", {}).get("statistic") in _OF_RELEVANT
    return Estimate.undefined(Reason.NO_RELEVANT if is_share else Reason.ONE_GRADE)


def _ratio(values: Floats | Ints, totals: Floats | Ints) -> Floats:
    divisor = np.broadcast_to(totals, np.shape(values))
    ratio: Floats = np.divide(values, divisor, out=np.full(np.shape(values), np.nan), where=divisor != 0)
    return ratio
