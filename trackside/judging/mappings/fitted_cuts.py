"""Cuts fitted on people's grades: by the best F1, by isotonic and by proportional-odds regression.

Those by kappa are in ``mapping``. Fit on held-out topics and apply to others: on the fitting topics every fit
is too optimistic.
"""

from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, paired
from trackside.errors import InputError
from trackside.judging.mappings.mapping import Cuts, NothingToMap

F1, ISOTONIC, ORDINAL = "f1-cuts", "isotonic", "ordinal"
ROUNDING = 1e-12  # values of F1 within this distance of the largest count as equal to it
SURE = 40.0  # logits; beyond it a probability is 0 or 1 in double precision
STEEPEST = 30.0  # a slope above it, per standard deviation of the score: the likelihood has no maximum


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


def fit_isotonic_cuts(scores: ArrayLike, grades: ArrayLike, scale: tuple[int, ...]) -> Cuts:
    """Return the lowest scores whose isotonic regression rounds to the next grade; a half rounds up.

    Infinite for a grade that the regression never rounds to. Raises NothingToMap without pairs.
    """
    values, people = _paired(scores, grades)
    fitted = isotonic_fit(values, people)
    cuts = tuple(float(values[fitted >= middle].min(initial=inf)) for middle in middles(scale))
    return Cuts(scale, cuts, values.size, ISOTONIC)


def isotonic_fit(scores: ArrayLike, grades: ArrayLike) -> Floats:
    """Fit non-decreasing least-squares grades to the scores, one per item (pool adjacent violators).

    Items with the same score get the same fitted grade.
    """
    from scipy.optimize import isotonic_regression

    values, people = paired(scores, grades)
    if not values.size:
        return people
    _, group, size = np.unique(values, return_inverse=True, return_counts=True)
    means = np.bincount(group, weights=people) / size
    fitted: Floats = isotonic_regression(means, weights=size).x[group]
    return fitted


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


@dataclass(frozen=True, slots=True)
class OrdinalFit:
    """A proportional-odds model: logit P(grade <= g_j) = cut_j - slope * score (McCullagh 1980).

    `grades` are the occurring grades in ascending order; there is one cut fewer.
    """

    grades: tuple[int, ...]
    slope: float
    cuts: tuple[float, ...]
    log_likelihood: float

    def probabilities(self, scores: ArrayLike) -> Floats:
        """Probability of each grade (columns) at each score (rows)."""
        return _probabilities(np.asarray(scores, dtype=np.float64), self.slope, np.array(self.cuts))

    def expected_grades(self, scores: ArrayLike) -> Floats:
        """Mean grade at each score."""
        expected: Floats = self.probabilities(scores) @ np.array(self.grades, dtype=np.float64)
        return expected


def fit_proportional_odds(scores: ArrayLike, grades: ArrayLike) -> OrdinalFit:
    """Fit the proportional-odds model by maximum likelihood.

    Raises InputError for fewer than two different grades, equal scores, and scores that separate the grades.
    """
    from scipy.optimize import minimize

    values, people = paired(scores, grades)
    levels, indices = np.unique(people, return_inverse=True)
    if levels.size < 2 or not np.ptp(values):
        raise InputError(
            "an ordinal regression needs two different grades and two different scores: grade more items"
        )
    centre, spread = values.mean(), values.std()
    shares = np.cumsum(np.bincount(indices))[:-1] / people.size
    logits = np.log(shares / (1 - shares))
    start = np.concatenate((logits[:1], np.log(np.diff(logits)), [0.0]))  # as ``_to_cuts`` reads them
    standard = (values - centre) / spread

    def negative_log_likelihood(parameters: Floats) -> float:
        chances = _probabilities(standard, parameters[-1], _to_cuts(parameters[:-1]))
        return -float(np.log(np.maximum(chances[np.arange(indices.size), indices], 1e-300)).sum())

    fit = minimize(negative_log_likelihood, start, method="BFGS", options={"gtol": 1e-6})
    if fit.fun < 1e-3 or abs(fit.x[-1]) > STEEPEST:
        raise InputError(
            "the scores separate the grades, so no slope is steep enough: grade more items near the cuts"
        )
    slope = float(fit.x[-1] / spread)
    cuts = tuple((_to_cuts(fit.x[:-1]) + slope * centre).tolist())
    return OrdinalFit(tuple(levels.astype(int).tolist()), slope, cuts, -float(fit.fun))


def _probabilities(scores: Floats, slope: float, cuts: Floats) -> Floats:
    from scipy.special import expit

    cumulative = expit(cuts[None, :] - slope * scores[:, None])
    chances: Floats = np.diff(cumulative, axis=1, prepend=0.0, append=1.0)
    return chances


def _to_cuts(free: Floats) -> Floats:
    """Convert unconstrained parameters (first cut, then log distances) to ascending cuts."""
    cuts: Floats = np.cumsum(np.append(free[:1], np.exp(free[1:])))
    return cuts


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
    return values, people
