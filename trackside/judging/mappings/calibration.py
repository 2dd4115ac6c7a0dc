"""Map raw scores to people's grades: isotonic and proportional-odds regression."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, paired
from trackside.errors import InputError


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


STEEPEST = 30.0
"""A slope above this, per standard deviation of the score, means that the likelihood has no maximum."""


def _probabilities(scores: Floats, slope: float, cuts: Floats) -> Floats:
    from scipy.special import expit

    cumulative = expit(cuts[None, :] - slope * scores[:, None])
    chances: Floats = np.diff(cumulative, axis=1, prepend=0.0, append=1.0)
    return chances


def _to_cuts(free: Floats) -> Floats:
    """Convert unconstrained parameters (first cut, then log distances) to ascending cuts."""
    cuts: Floats = np.cumsum(np.append(free[:1], np.exp(free[1:])))
    return cuts
