"""What walls cost: a person's grades on walls against those of items that were dealt to be judged singly."""

from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from typing import Literal

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.statistics.agreement import kappa_of_matrices

ON_WALL, SINGLY = 0, 1
FEWEST = 50  # singles before an interval has ends
TAIL = 0.025  # chance that an end of one of the two losses is ever wrong
PLANNED = 200  # singles at which the intervals are closest to those of a single look
Finding = Literal["open", "loses", "same-shares", "holds"]


@dataclass(frozen=True, slots=True)
class Loss:
    """The share of a number that walls lose, 1 - wall / singly; its ends are null where the data set none.

    The ends hold at all times together: a person may be looked at as often as wanted.
    """

    on_wall: float
    singly: float
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        """The loss; null unless the number is positive singly."""
        return 1 - self.on_wall / self.singly if self.singly > 0 else None


@dataclass(frozen=True)
class WallGrades:
    """Grades of one person, or of several, by wall. The weight of an item is 1 / the chance of its surface.

    ``shares``: (walls, 2, grades); ``matrices``: (walls, 2, own grade, other's grade) of items that others
    graded; both with [:, ON_WALL] and [:, SINGLY]. ``single_count`` and ``compared_count`` are the singles in
    each.
    """

    shares: Floats
    matrices: Floats
    single_count: int
    compared_count: int
    scale: tuple[int, ...]

    @cached_property
    def share_of_each(self) -> Floats:
        """The share of each grade: (2, grades); NaN without items."""
        shares: Floats = _shares(self.shares.sum(axis=0)[None])[0]
        return shares

    @cached_property
    def top(self) -> Loss | None:
        """The loss of highest grades; null if one surface has no item."""
        left_out = _shares(self.shares.sum(axis=0) - self.shares)[..., -1]
        return _loss(self.share_of_each[:, -1], left_out, self.single_count)

    @cached_property
    def kappa(self) -> Loss | None:
        """The loss of Cohen's kappa with others' grades; null if it is undefined on one surface."""
        total = self.matrices.sum(axis=0)
        left_out = _kappas(total - self.matrices, self.scale)
        return _loss(_kappas(total[None], self.scale)[0], left_out, self.compared_count)

    def finding(self, margin: float) -> Finding:
        """Return "loses" once a loss is above the margin, "holds" if neither is and kappa is above chance.

        "same-shares" if the highest grades alone are within the margin; "open" if nothing can be told yet.
        """
        losses = [loss for loss in (self.top, self.kappa) if loss is not None]
        if any(loss.low is not None and loss.low > margin for loss in losses):
            return "loses"
        if self.top is None or self.top.high is None or self.top.high > margin:
            return "open"
        if self.kappa is None or self.kappa.high is None or self.kappa.high > margin:
            return "same-shares"
        return "holds"


def _shares(sums: Floats) -> Floats:
    totals = sums.sum(axis=-1, keepdims=True)
    has_items = totals > 0.5  # all weights are above 1: less is a rounding error
    shares: Floats = np.divide(sums, totals, out=np.full(sums.shape, np.nan), where=has_items)
    return shares


def _kappas(sums: Floats, scale: tuple[int, ...]) -> Floats:
    return np.stack([kappa_of_matrices(sums[:, surface], scale) for surface in (ON_WALL, SINGLY)], axis=1)


def _loss(values: Floats, left_out: Floats, single_count: int) -> Loss | None:
    """Return the loss between two numbers with Fieller's ends; ``left_out`` omits each wall: (walls, 2)."""
    if np.isnan(values).any():
        return None
    on_wall, singly = map(float, values)
    if single_count < FEWEST or np.isnan(left_out).any():
        return Loss(on_wall, singly)
    covariance = np.cov(left_out.T) * (len(left_out) - 1) ** 2 / len(left_out)  # the jackknife's
    (wall_part, shared), (_, single_part) = width(single_count) ** 2 * covariance
    spread = singly**2 - single_part
    centre, product = on_wall * singly - shared, (on_wall**2 - wall_part) * spread
    if singly <= 0 or spread <= 0:
        return Loss(on_wall, singly)
    half = sqrt(max(centre**2 - product, 0))  # below 0 by rounding alone
    return Loss(on_wall, singly, 1 - (centre + half) / spread, 1 - (centre - half) / spread)


def width(count: int) -> float:
    """Return how many standard errors an end of the interval is away after so many singles.

    The bound of the normal mixture (Robbins 1970; Waudby-Smith et al. 2024, one-sided): at all times together
    an end is wrong with the chance TAIL.
    """
    steps = 8 * count / PLANNED
    return sqrt(2 * (1 + 1 / steps) * log(1 + sqrt(1 + steps) / (2 * TAIL)))


def sums_by_wall(walls: Ints, indices: tuple[Ints, ...], weights: Floats, shape: tuple[int, ...]) -> Floats:
    """Add weights to the cells of each wall: ``walls`` are numbered from 0; returns (walls, *shape)."""
    sums = np.zeros((int(walls.max(initial=-1)) + 1, *shape))
    np.add.at(sums, (walls, *indices), weights)
    return sums
