"""Mappings from raw scores to grades, by quantiles or by cuts: fitted once, then applied to any score."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints, paired
from trackside.errors import InputError
from trackside.statistics.agreement import kappa_of_matrices

KAPPA = "kappa-cuts"
CANDIDATES, MOST_CELLS = 60, 1_000_000
"""Candidate cuts are quantiles of the scores: 1,770 choices for three grades, 34,220 for four grades.

With more grades they are fewer, so that the confusion matrices of all choices have at most a million cells.
"""

GRADES = (0, 1, 2)


class NothingToMap(InputError):
    """No pair has a score to fit a mapping on."""


@dataclass(frozen=True, slots=True)
class QuantileMapping:
    """Cuts at quantiles: by `paper-2024` below the first 0, up to and including the second 1, above it 2.

    On any scale a score equal to the first threshold gets the second grade, one equal to a later threshold
    the grade below it. `thresholds` are in the units of the raw score, one fewer than the grades of `scale`;
    `n` is the number of scores that they were fitted on.
    """

    thresholds: tuple[float, ...]
    n: int
    name: str = "paper-2024"
    scale: tuple[int, ...] = GRADES

    @property
    def cuts(self) -> tuple[float, ...]:
        """The scores at which the grade changes."""
        return self.thresholds

    def grades(self, scores: ArrayLike) -> Ints:
        """Return the grade of each raw score; scores must be finite, so omit pairs without a score."""
        values = finite(scores)
        first, *later = self.thresholds
        steps = sum(((values > cut).astype(np.int64) for cut in later), (values >= first).astype(np.int64))
        return np.asarray(self.scale, dtype=np.int64)[steps]


def default_quantiles(grade_count: int) -> tuple[float, ...]:
    """Return the cuts' quantiles: half of the pairs get the lowest grade, each next grade half of the rest.

    For three grades 0.5 and 0.75, as by `paper-2024`; the two highest grades have equal shares.
    """
    return tuple(1 - 0.5**step for step in range(1, grade_count))


def fit_quantiles(
    scores: ArrayLike, *quantiles: float, name: str, scale: tuple[int, ...] = GRADES
) -> QuantileMapping:
    """Fit thresholds at rising quantiles of the scores, one fewer than grades (numpy's "linear", R's type 7).

    Raises NothingToMap without scores, ValueError for a score that is not finite.
    """
    values = finite(scores)
    if not values.size:
        raise NothingToMap("No pair has a raw score. Let the judge score the pool first.")
    thresholds = np.quantile(values, quantiles, method="linear").tolist()
    return QuantileMapping(tuple(thresholds), values.size, name, scale)


def finite(scores: ArrayLike) -> Floats:
    """Return the scores as floats; ValueError if one is not finite: omit pairs without a score."""
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a raw score is not a finite number: omit pairs without a score")
    return values


@dataclass(frozen=True, slots=True)
class Cuts:
    """A score of at least `cuts[i]` gets at least `scale[i + 1]`; below the first cut it gets `scale[0]`.

    `n` is the number of graded pairs that the cuts were fitted on, None for cuts set by hand.
    """

    scale: tuple[int, ...]
    cuts: tuple[float, ...]
    n: int | None = None
    name: str = "fixed-cuts"

    def __post_init__(self) -> None:
        if len(self.cuts) != len(self.scale) - 1 or list(self.cuts) != sorted(self.cuts):
            raise InputError(
                f"Grades {self.scale} need {len(self.scale) - 1} rising cuts between them, not {self.cuts}.",
                code="cuts-do-not-rise",
            )

    def grades(self, scores: ArrayLike) -> Ints:
        """Return the grade of each raw score; scores must be finite."""
        indices = np.searchsorted(self.cuts, finite(scores), side="right")
        return np.asarray(self.scale, dtype=np.int64)[indices]


def fit_cuts(scores: ArrayLike, grades: ArrayLike, scale: tuple[int, ...]) -> Cuts:
    """Return the cuts with the highest quadratic kappa against people's grades; the lowest cuts on ties.

    Fit on held-out topics and apply to others: on the fitting topics the kappa is too optimistic. Raises
    NothingToMap without pairs, or when all scores are equal.
    """
    values, people = paired(scores, grades)
    if not values.size or not np.ptp(values):
        raise NothingToMap("Cuts need graded pairs with at least two different scores. Grade more pairs.")
    limit = MOST_CELLS / len(scale) ** 2
    steps = max(n for n in range(len(scale), CANDIDATES + 1) if comb(n, len(scale) - 1) <= limit)
    candidates = np.unique(np.quantile(values, np.linspace(0, 1, steps + 1)[1:], method="higher"))
    choices = list(combinations(range(candidates.size), len(scale) - 1))
    if not choices:
        raise NothingToMap(
            f"{candidates.size} different scores are too few for {len(scale) - 1} cuts. Grade more pairs."
        )
    matrices = _matrices(values, np.searchsorted(scale, people), len(scale), candidates, np.array(choices))
    kappas = np.nan_to_num(kappa_of_matrices(matrices, scale, "quadratic"), nan=-np.inf)
    best = choices[int(np.argmax(kappas))]
    return Cuts(scale, tuple(candidates[list(best)].tolist()), values.size, KAPPA)


def _matrices(values: Floats, indices: Ints, size: int, candidates: Floats, choices: Ints) -> Ints:
    """Return the confusion matrix, people by judge, of each choice of cuts, from counts below each cut."""
    below = np.array([(values[indices == index][:, None] < candidates).sum(axis=0) for index in range(size)])
    totals = np.bincount(indices, minlength=size)
    ends = np.zeros((len(choices), size, 1), dtype=np.int64)
    tops = np.broadcast_to(totals[None, :, None], (len(choices), size, 1))
    counts: Ints = np.diff(np.concatenate((ends, below[:, choices].transpose(1, 0, 2), tops), axis=2), axis=2)
    return counts
