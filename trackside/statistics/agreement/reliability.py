"""Agreement of any number of judges: Krippendorff's alpha, Fleiss' kappa, Gwet's AC1 and AC2."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints
from trackside.statistics.agreement.coefficients import KappaWeights
from trackside.statistics.agreement.rows import gwet_of_matrices
from trackside.statistics.estimate import Estimate, Reason

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
