"""Cuts fitted on people's grades by F1 and by regression; those by kappa are in ``cuts``.

Fit on held-out topics and apply to others: on the fitting topics every fit is too optimistic.
"""

from itertools import accumulate, pairwise
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, paired
from trackside.errors import InputError
from trackside.judging.mappings.calibration import OrdinalFit, fit_proportional_odds, isotonic_fit
from trackside.judging.mappings.classification import best_f1, thresholds
from trackside.judging.mappings.cuts import Cuts
from trackside.judging.mappings.mapping import NothingToMap

F1, ISOTONIC, ORDINAL = "f1-cuts", "isotonic", "ordinal"
SURE = 40.0  # logits; beyond it a probability is 0 or 1 in double precision


def fit_f1_cuts(scores: ArrayLike, grades: ArrayLike, scale: tuple[int, ...]) -> Cuts:
    """Return for each grade above the lowest the cut with the best F1 of "this grade or more".

    On ties it is the lowest such cut; it is never below the cut of a lower grade, and infinite for a grade
    that people never gave. Raises NothingToMap without pairs.
    """
    values, people = _paired(scores, grades)
    best = (best_f1(thresholds(people >= grade, values)).thresholds for grade in scale[1:])
    return Cuts(scale, tuple(accumulate((cuts[0] if cuts else inf for cuts in best), max)), values.size, F1)


def fit_isotonic_cuts(scores: ArrayLike, grades: ArrayLike, scale: tuple[int, ...]) -> Cuts:
    """Return the lowest scores whose isotonic regression rounds to the next grade; a half rounds up.

    Infinite for a grade that the regression never rounds to. Raises NothingToMap without pairs.
    """
    values, people = _paired(scores, grades)
    fitted = isotonic_fit(values, people)
    cuts = tuple(float(values[fitted >= middle].min(initial=inf)) for middle in middles(scale))
    return Cuts(scale, cuts, values.size, ISOTONIC)


def fit_ordinal_cuts(scores: ArrayLike, grades: ArrayLike, scale: tuple[int, ...]) -> Cuts:
    """Return the scores at which a proportional-odds model's expected grade rounds to the next grade.

    Infinite for a grade above all that people gave. Raises NothingToMap, or InputError if no model fits or
    the expected grade does not rise with the score.
    """
    values, people = _paired(scores, grades)
    fit = fit_proportional_odds(values, people)
    if fit.slope <= 0:
        raise InputError(
            "People's grades fall as the judge's score rises, so no cuts can be fitted.", code="scores-fall"
        )
    cuts = tuple(_crossing(fit, middle) for middle in middles(scale))
    return Cuts(scale, cuts, values.size, ORDINAL)


def _crossing(fit: OrdinalFit, middle: float) -> float:
    from scipy.optimize import brentq

    if middle >= fit.grades[-1]:
        return inf
    if middle <= fit.grades[0]:
        return -inf
    ends = (fit.cuts[0] - SURE) / fit.slope, (fit.cuts[-1] + SURE) / fit.slope
    return float(brentq(lambda score: float(fit.expected_grades([score])[0]) - middle, *ends))


def middles(scale: tuple[int, ...]) -> list[float]:
    """Return the midpoint between each grade and the next."""
    return [(low + high) / 2 for low, high in pairwise(scale)]


def _paired(scores: ArrayLike, grades: ArrayLike) -> tuple[Floats, Floats]:
    values, people = paired(scores, grades)
    if not values.size:
        raise NothingToMap("No pair of the fitting topics has a score and a grade: choose more topics.")
    return values, np.asarray(people)
