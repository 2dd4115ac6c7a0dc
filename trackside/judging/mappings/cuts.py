"""Mappings with cuts between adjacent grades: set by hand, or fitted on topics that people graded."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints, paired
from trackside.errors import InputError
from trackside.judging.mappings.mapping import NothingToMap, finite
from trackside.statistics.agreement import kappa_of_matrices

KAPPA = "kappa-cuts"
CANDIDATES, MOST_CELLS = 60, 1_000_000
"""Candidate cuts are quantiles of the scores: 1,770 choices for three grades, 34,220 for four grades.

With more grades they are fewer, so that the confusion matrices of all choices have at most a million cells.
"""


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
