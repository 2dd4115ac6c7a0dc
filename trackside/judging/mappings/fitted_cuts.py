"""Cuts fitted on people's grades by the best F1.

Those by kappa are in ``mapping``. Fit on held-out topics and apply to others: on the fitting topics every fit
is too optimistic.
"""

from itertools import accumulate, pairwise
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, paired
from trackside.judging.mappings.mapping import Cuts, NothingToMap

F1 = "f1-cuts"
ROUNDING = 1e-12  # values of F1 within this distance of the largest count as equal to it


def fit_f1_cuts(scores: ArrayLike, grades: ArrayLike, scale: tuple[int, ...]) -> Cuts:
    """Return for each grade above the lowest the cut with the best F1 of "this grade or more".

    On ties it is the lowest such cut; it is never below the cut of a lower grade, and infinite for a grade
    that people never gave. Raises NothingToMap without pairs.
    """
    values, people = _paired(scores, grades)
    best = (best_f1_thresholds(people >= grade, values) for grade in scale[1:])
    return Cuts(scale, tuple(accumulate((cuts[0] if cuts else inf for cuts in best), max)), values.size, F1)


def best_f1_thresholds(is_relevant: ArrayLike, scores: ArrayLike) -> tuple[float, ...]:
    """Return the scores t with the largest F1 of "a score of at least t is relevant", ascending.

    Empty without a relevant item. Tied scores are one threshold.
    """
    relevant, values = paired(is_relevant, scores)
    if not relevant.any():
        return ()
    candidates, group = np.unique(values, return_inverse=True)
    right = np.bincount(group, weights=relevant)[::-1].cumsum()[::-1]
    predicted = np.bincount(group)[::-1].cumsum()[::-1]
    f1 = 2 * right / (predicted + relevant.sum())
    return tuple(candidates[f1 >= f1.max() - ROUNDING].tolist())


def middles(scale: tuple[int, ...]) -> list[float]:
    """Return the midpoint between each grade and the next."""
    return [(low + high) / 2 for low, high in pairwise(scale)]


def _paired(scores: ArrayLike, grades: ArrayLike) -> tuple[Floats, Floats]:
    values, people = paired(scores, grades)
    if not values.size:
        raise NothingToMap("No pair of the fitting topics has a score and a grade: choose more topics.")
    return values, people
