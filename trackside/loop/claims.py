"""What a look says: intervals, runs told apart, places, the best, tau, and whether to stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from trackside.arrays import Flags, Floats
from trackside.errors import InputError
from trackside.loop.estimating import Look
from trackside.statistics.correlation import kendall_tau_b_of_rows

Z = 1.959964
TAU_DRAWS = 1_000
LEVEL = 0.05
_TINY = 1e-12


def z_over_looks(looks: int) -> float:
    """The z with which intervals hold at all looks at once, by Bonferroni. Pocock's is for looks of equal
    information, and a batch tells more than the one before it: decision 0090.
    """
    return float(-ndtri(LEVEL / looks / 2))


@dataclass(frozen=True)
class Claims:
    """Statements about runs [run] after a look. ``z`` is the one that holds over all looks of the plan.

    ``is_first`` is False for a run whose lists are those of an earlier run: it is in no pair, tau or order.
    """

    look: Look
    z: float
    is_first: Flags

    @property
    def order(self) -> list[int]:
        """The runs by estimate, highest first; one of each set of identical runs."""
        kept = np.flatnonzero(self.is_first)
        return [int(run) for run in kept[np.argsort(-self.look.means[kept], kind="stable")]]

    @property
    def gaps(self) -> Floats:
        """Estimated differences [run, run]."""
        return self.look.means[:, None] - self.look.means

    @property
    def chances(self) -> Floats:
        """The probability that a run is above another [run, run]."""
        errors = self.look.gap_errors
        scores = np.divide(self.gaps, errors, out=np.sign(self.gaps) * 40, where=errors > _TINY)
        return np.asarray(ndtr(scores))

    @property
    def apart(self) -> Flags:
        """Whether two runs are told apart over all looks [run, run]."""
        return np.asarray(np.abs(self.gaps) > np.maximum(self.z * self.look.gap_errors, _TINY))

    def best(self) -> list[int]:
        """The runs that may be the best, over all looks: those not below the leader, by Holm."""
        return self._not_below(self.order[0], self.order[1:])

    def places_in_order(self, top: int) -> int:
        """How many first places, up to ``top``, have a run that is above all later ones (Holm)."""
        order = self.order
        for place in range(min(top, len(order) - 1)):
            if len(self._not_below(order[place], order[place + 1 :])) > 1:
                return place
        return min(top, len(order))

    def _not_below(self, run: int, others: Sequence[int]) -> list[int]:
        rows = list(others)
        scores = self.gaps[run, rows] / np.maximum(self.look.gap_errors[run, rows], _TINY)
        p, level = 2 * ndtr(-np.maximum(scores, 0)), 2 * ndtr(-self.z)
        order = np.argsort(p, kind="stable")
        is_over = p[order] * np.arange(len(p), 0, -1) > level
        below = int(np.argmax(is_over)) if is_over.any() else len(p)
        kept = set(order[below:].tolist())
        return [run, *(other for row, other in enumerate(rows) if row in kept)]

    def tau(self, rng: np.random.Generator) -> tuple[float, float, float]:
        """Lower end, mean and upper end of Kendall's tau of estimates and truth, over all looks: of the
        estimates and these with noise of their covariance. 1 for fewer than two runs.
        """
        kept = self.order
        if len(kept) < 2:
            return 1.0, 1.0, 1.0
        means = self.look.means[kept]
        values, vectors = np.linalg.eigh(self.look.covariance[np.ix_(kept, kept)])
        drawn = means + rng.normal(size=(TAU_DRAWS, len(kept))) @ (vectors * np.sqrt(np.maximum(values, 0))).T
        taus = np.nan_to_num(kendall_tau_b_of_rows(np.tile(means, (TAU_DRAWS, 1)), drawn))
        low, high = np.quantile(taus, (float(ndtr(-self.z)), float(ndtr(self.z))))
        return float(low), float(taus.mean()), float(high)


@dataclass(frozen=True)
class Aim:
    """When to stop: a half-width of each run's mean, the first places in order, or tau's lower end."""

    half_width: float | None = None
    top: int | None = None
    tau: float | None = None

    def __post_init__(self) -> None:
        if not (self.half_width is None or self.half_width > 0) or not (
            self.tau is None or 0 < self.tau <= 1
        ):
            raise InputError(
                f"an aim of {self.words} is out of range: give --half-width above 0, --tau 0 to 1."
            )

    def is_reached(self, claims: Claims, low_tau: float, batches: int) -> bool:
        """Whether every part holds. A width needs two batches, no correction; others hold over looks."""
        width = batches >= 2 and Z * float(claims.look.errors.max()) <= (self.half_width or 0)
        places = self.top is not None and claims.places_in_order(self.top) >= min(self.top, len(claims.order))
        parts = {"half_width": width, "top": places, "tau": low_tau >= (self.tau or 0)}
        asked = [holds for name, holds in parts.items() if getattr(self, name) is not None]
        return bool(asked) and all(asked)

    @property
    def words(self) -> str:
        """The aim as a phrase."""
        parts = [f"half-width of each run at most {self.half_width:g}"] if self.half_width is not None else []
        parts += [f"first {self.top} in order"] if self.top is not None else []
        parts += [f"lower end of tau at least {self.tau:g}"] if self.tau is not None else []
        return ", ".join(parts) or "the budget"
