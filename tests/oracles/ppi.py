"""Published formulas of ppi_py (Angelopoulos, Duchi, Zrnic 2023), for means; written plainly, as oracle.

``people`` and ``model`` are the labelled units, ``others`` the model's values of units without people's.
"""

from statistics import NormalDist

import numpy as np

from trackside.arrays import Floats


def tuned_weight(people: Floats, model: Floats, others: Floats) -> float:
    """``_calc_lhat_glm`` of a mean: cov(Y, f) / ((1 + n/N) var f), with the labelled units' moments."""
    covariance = ((people - people.mean()) * (model - model.mean())).mean()
    return float(covariance / ((1 + model.size / others.size) * model.var()))


def mean_of(people: Floats, model: Floats, others: Floats, weight: float) -> float:
    """``ppi_mean_pointestimate``."""
    return float(weight * others.mean() + (people - weight * model).mean())


def ends_of(people: Floats, model: Floats, others: Floats, weight: float) -> tuple[float, float]:
    """``ppi_mean_ci`` at 95 %: the variance of both means, of independent samples."""
    spread = weight**2 * others.var() / others.size + (people - weight * model).var() / people.size
    middle, half = (
        mean_of(people, model, others, weight),
        NormalDist().inv_cdf(0.975) * float(np.sqrt(spread)),
    )
    return middle - half, middle + half
