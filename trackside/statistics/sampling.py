"""Draws of a fixed size with unequal chances, and the variance of sums that they estimate."""

import numpy as np

from trackside.arrays import Floats, Ints


def capped_chances(sizes: Floats, count: int) -> Floats:
    """Chances proportional to sizes, each at most 1, that sum to the count."""
    sure = np.zeros(len(sizes), np.bool_)
    while True:
        chance = np.where(sure, 1.0, sizes / sizes[~sure].sum() * (count - sure.sum()))
        if not (new := (chance >= 1) & ~sure).any():
            return np.minimum(chance, 1.0)
        sure |= new


def pareto_sample(chance: Floats, count: int, rng: np.random.Generator) -> Ints:
    """Pareto sampling (Rosen 1997): so many units, with chances close to those asked for."""
    unsure, sure = np.flatnonzero((chance > 0) & (chance < 1)), np.flatnonzero(chance >= 1)
    p, u = chance[unsure], rng.random(len(unsure))
    keys = u / (1 - u) * (1 - p) / p
    return np.concatenate([sure, unsure[np.argsort(keys, kind="stable")[: count - len(sure)]]])


def hajek_covariance(rows: Floats, chance: Floats) -> Floats:
    """Covariance [column, column] of the sum of rows [unit, column], already divided by the chances, for a
    draw of fixed size with high entropy (Hajek 1964), with n / (n - 1). Units that are certain have none.
    """
    rows, spread = rows[chance < 1], 1 - chance[chance < 1]
    if len(spread) < 2:
        return np.zeros((rows.shape[1],) * 2)
    spread = spread * len(spread) / (len(spread) - 1)
    rows = rows - (spread[:, None] * rows).sum(axis=0) / spread.sum()
    return np.asarray((spread[:, None] * rows).T @ rows)
