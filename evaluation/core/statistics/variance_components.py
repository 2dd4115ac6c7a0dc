"""Variance components of a table of values, run x topic x set of qrels: a generalizability study.

All three are random facets, with one value per cell. Each mean square is set equal to its expectation, and
the equations are solved. Source: Brennan, Generalizability Theory (2001), section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from evaluation.core.arrays import Floats

FACETS = ("run", "topic", "qrels")
FEWEST = 2  # levels of each facet; a single level has no variance


@dataclass(frozen=True, slots=True)
class Component:
    """One source of variance: its facets, degrees of freedom, mean square and variance.

    ``estimate`` solves the equations and may be negative; ``variance`` is then 0.
    """

    facets: tuple[str, ...]
    freedom: int
    mean_square: float
    estimate: float

    @property
    def variance(self) -> float:
        """The estimate, or 0 if it is negative."""
        return max(self.estimate, 0.0)


def variance_components(values: Floats) -> list[Component]:
    """The seven components of (runs, topics, sets) values without gaps, the residual last.

    The residual is the interaction of all three facets, with all error. Raises ValueError for fewer than two
    levels of any facet.
    """
    if min(values.shape) < FEWEST:
        raise ValueError(f"a table of {values.shape} has no variance components: two of each are needed")
    subsets = [each for size in (1, 2, 3) for each in combinations(range(3), size)]
    squares = {each: _mean_square(values, each) for each in subsets}
    return [
        Component(
            tuple(FACETS[at] for at in each),
            _freedom(values, each),
            squares[each],
            _solved(values, each, squares),
        )
        for each in subsets
    ]


def _freedom(values: Floats, facets: tuple[int, ...]) -> int:
    return prod(values.shape[at] - 1 for at in facets)


def _mean_square(values: Floats, facets: tuple[int, ...]) -> float:
    """Mean square of the facets' interaction: means over all others, minus the effects of smaller subsets."""
    others = tuple(at for at in range(3) if at not in facets)
    effect = values.mean(axis=others, keepdims=True) if others else values
    for at in facets:
        effect = effect - effect.mean(axis=at, keepdims=True)
    times = prod(values.shape[at] for at in others)
    return float(times * np.square(effect).sum() / _freedom(values, facets))


def _solved(values: Floats, facets: tuple[int, ...], squares: dict[tuple[int, ...], float]) -> float:
    """Estimate: alternating sum of the mean squares of all supersets of the facets, per value in a mean."""
    others = [at for at in range(3) if at not in facets]
    total = 0.0
    for size in range(len(others) + 1):
        for added in combinations(others, size):
            sign = -1 if size % 2 else 1
            total += sign * squares[tuple(sorted((*facets, *added)))]
    return float(total / prod(values.shape[at] for at in others))
