"""Agreement of two or more judges on the grades of the same items, on the declared scale.

The scale is the tuple of possible grades, such as (0, 1, 2); a grade that was never given still has its row
and column. Kappa's weights use the grades' values (Cohen 1960, 1968). Functions "of matrices" compute many
coefficients at once, for resampling topics, from confusion matrices (matrices, first judge's grades, second
judge's grades): NaN without items and where a denominator is 0. "Relevant" is a grade of at least the cut.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.statistics.estimate import Estimate, Reason

KappaWeights = Literal["linear", "quadratic"]


def invalid_count(grades: ArrayLike, scale: tuple[int, ...]) -> int:
    """Count the grades that are not on the scale."""
    return int((~np.isin(np.asarray(grades, dtype=np.int64), scale)).sum())


def confusion_matrix(a: ArrayLike, b: ArrayLike, scale: tuple[int, ...]) -> Ints:
    """Count items by grade in a (rows) and in b (columns), both in the order of the scale.

    Raises InputError instead of dropping an item, because this can turn disagreement into kappa 1.
    """
    left, right = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    if left.shape != right.shape:
        raise ValueError(f"{left.size} and {right.size} grades cannot be paired")
    for grades in (left, right):
        if invalid_count(grades, scale):
            stray = grades[~np.isin(grades, scale)]
            raise InputError(
                f"{stray.size} grades are not on the scale {scale}, the first is {stray[0]}: "
                "correct them, or declare the scale that was used"
            )
    order = np.argsort(scale)
    indices = [order[np.searchsorted(np.asarray(scale)[order], grades)] for grades in (left, right)]
    matrix = np.bincount(indices[0] * len(scale) + indices[1], minlength=len(scale) ** 2)
    return matrix.reshape(len(scale), len(scale)).astype(np.int64)


def confusions_by_topic(a: ArrayLike, b: ArrayLike, topics: Ints, scale: tuple[int, ...]) -> Ints:
    """One matrix of `confusion_matrix` for each topic, by its rank, on an ascending scale."""
    confusion_matrix(a, b, scale)  # refuses grades off the scale
    _, topic_of_row = np.unique(topics, return_inverse=True)
    matrices = np.zeros((int(topic_of_row.max(initial=-1)) + 1, len(scale), len(scale)), dtype=np.int64)
    np.add.at(matrices, (topic_of_row, np.searchsorted(scale, a), np.searchsorted(scale, b)), 1)
    return matrices


def cohen_kappa(
    a: ArrayLike, b: ArrayLike, scale: tuple[int, ...], weights: KappaWeights | None = None
) -> Estimate:
    """Cohen's kappa, plain or weighted by the values of the scale; undefined without items or variety."""
    return kappa_of_matrix(confusion_matrix(a, b, scale), scale, weights)


def kappa_of_matrix(matrix: Ints, scale: tuple[int, ...], weights: KappaWeights | None = None) -> Estimate:
    """Cohen's kappa of a confusion matrix, 1 - sum w o / sum w e; undefined as `cohen_kappa` is."""
    kappa = kappa_of_matrices(matrix[None], scale, weights)[0]
    if np.isnan(kappa):
        return Estimate.undefined(Reason.ONE_GRADE if matrix.any() else Reason.EMPTY)
    return Estimate.of(kappa)


def kappa_of_matrices(
    matrices: Ints | Floats, scale: tuple[int, ...], weights: KappaWeights | None = None
) -> Floats:
    """Cohen's kappa of each of a stack of confusion matrices; NaN where it is undefined."""
    cost = disagreement(scale, weights)
    observed = (matrices * cost).sum(axis=(1, 2)) * matrices.sum(axis=(1, 2))
    by_chance = np.einsum("bi,ij,bj->b", matrices.sum(axis=2), cost, matrices.sum(axis=1))
    ratio = np.divide(observed, by_chance, out=np.full(len(matrices), np.nan), where=by_chance > 0)
    kappa: Floats = 1 - ratio
    return kappa


def observed_agreement(matrix: Ints) -> Estimate:
    """Share of items with the same grade on both sides; undefined without items."""
    total = matrix.sum()
    return Estimate.of(np.trace(matrix) / total) if total else Estimate.undefined(Reason.EMPTY)


def disagreement(scale: tuple[int, ...], weights: KappaWeights | None) -> Floats:
    """Cost of each pair of grades: 1 for different grades, or the distance of their values, or its square."""
    values = np.asarray(scale, dtype=np.float64)
    distance = np.abs(values[:, None] - values[None, :])
    match weights:
        case None:
            return (distance > 0).astype(np.float64)
        case "linear":
            return distance
        case "quadratic":
            return distance**2


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
    of_kappa: MatrixStatistic = partial(kappa_of_matrices, scale=(0, 1))
    at_cuts = {"kappa": of_kappa, "overlap": _overlap, "precision": _precision, "recall": _recall}
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


MeasurementScale = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    grades: Sequence[Sequence[int | None]],
    scale: MeasurementScale = "ordinal",
    times: ArrayLike | None = None,
) -> Estimate:
    """Krippendorff's alpha of a table of grades, one row per judge and one column per item; None is a gap.

    ``times`` counts the items of each column. 1 - D_o / D_e from the coincidence matrix of the occurring
    grades (Krippendorff 2011). Undefined if no item has two grades or only one grade was given.
    """
    rows = [[np.nan if grade is None else grade for grade in row] for row in grades]
    table = np.array(rows, dtype=np.float64, ndmin=2)
    values = np.unique(table[~np.isnan(table)])
    counts = (table == values[:, None, None]).sum(axis=1).astype(np.float64)
    grade_counts = counts.sum(axis=0)
    paired = counts[:, grade_counts >= 2]
    if not paired.size:
        return Estimate.undefined(Reason.NO_OVERLAP)
    weights = np.ones(grade_counts.size) if times is None else np.asarray(times, dtype=np.float64)
    shares = paired * weights[grade_counts >= 2] / (grade_counts[grade_counts >= 2] - 1)
    coincidences = shares @ paired.T - np.diag(shares.sum(axis=1))
    totals = coincidences.sum(axis=1)
    cost = _distance(values, totals, scale)
    by_chance = totals @ cost @ totals
    if by_chance == 0:
        return Estimate.undefined(Reason.ONE_GRADE)
    return Estimate.of(1 - (totals.sum() - 1) * (coincidences * cost).sum() / by_chance)


def _distance(values: Floats, totals: Floats, scale: MeasurementScale) -> Floats:
    """Squared difference of each pair of grades; the ordinal one counts the grades given between the two."""
    if scale == "nominal":
        differs: Floats = (values[:, None] != values[None, :]).astype(np.float64)
        return differs
    positions: Floats = np.cumsum(totals) - totals / 2 if scale == "ordinal" else values
    squared: Floats = np.square(positions[:, None] - positions[None, :])
    return squared


def fleiss_kappa(counts: ArrayLike, times: ArrayLike | None = None) -> Estimate:
    """Fleiss' kappa of a table of counts, one row per item and one column per category (Fleiss 1971).

    ``times`` counts the items of each row. Undefined if items have unequal numbers of grades, fewer than two,
    or all the same category.
    """
    table = np.asarray(counts, dtype=np.float64)
    if not table.size:
        return Estimate.undefined(Reason.EMPTY)
    grade_counts = table.sum(axis=1)
    if np.ptp(grade_counts):
        return Estimate.undefined(Reason.UNEQUAL_COUNTS)
    if grade_counts[0] < 2:
        return Estimate.undefined(Reason.NO_OVERLAP)
    weights = np.ones(len(table)) if times is None else np.asarray(times, dtype=np.float64)
    pairs = np.average((table**2).sum(axis=1) - grade_counts[0], weights=weights)
    observed = pairs / (grade_counts[0] * (grade_counts[0] - 1))
    by_grade = weights @ table
    by_chance = float(((by_grade / by_grade.sum()) ** 2).sum())
    if by_chance == 1:
        return Estimate.undefined(Reason.ONE_GRADE)
    return Estimate.of((observed - by_chance) / (1 - by_chance))


def gwet_of_matrix(matrix: Ints, scale: tuple[int, ...], weights: KappaWeights | None = None) -> Estimate:
    """Gwet's AC1, or AC2 with linear or quadratic weights, of a confusion matrix of two judges (Gwet 2008).

    Unlike kappa it is 1, not undefined, if both gave the same single grade to all items. Undefined without
    items, and on a scale of one grade.
    """
    if not matrix.any():
        return Estimate.undefined(Reason.EMPTY)
    coefficient = gwet_of_matrices(matrix[None], scale=scale, weights=weights)[0]
    return Estimate.undefined(Reason.ONE_GRADE) if np.isnan(coefficient) else Estimate.of(coefficient)
