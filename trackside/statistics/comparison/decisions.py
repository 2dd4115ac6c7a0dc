"""Which pairs of runs does a set of qrels tell apart? Paired t-tests of all pairs, corrected by Holm."""

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats
from trackside.statistics.comparison.multiplicity import adjust_all
from trackside.statistics.ranks import TIE


@dataclass(frozen=True, slots=True)
class PairTests:
    """All pairs of runs under one set: mean differences and adjusted p; undefined with one topic or run."""

    differences: Floats
    p: Floats
    run_count: int
    is_undefined: bool = False

    @property
    def pairs(self) -> tuple[list[int], list[int]]:
        """The two runs of each pair, the lower index first."""
        one, two = np.triu_indices(self.run_count, k=1)
        return one.tolist(), two.tolist()

    def is_significant(self, alpha: float) -> Flags:
        """Pairs whose adjusted p is at most alpha."""
        return np.nan_to_num(self.p, nan=1.0) <= alpha


def paired_t_tests(values: Floats) -> PairTests:
    """Paired t-tests of all pairs of a (runs, topics) table, p by Holm: 0 or 1 where the gap never varies."""
    from scipy.special import stdtr

    one, two = np.triu_indices(len(values), k=1)
    n = values.shape[1]
    means, errors = np.zeros(one.size), np.zeros(one.size)
    for start in range(0, one.size, 2_000):  # bounds the memory for many runs
        block = slice(start, start + 2_000)
        gaps = np.round(values[one[block]] - values[two[block]], 10)
        means[block] = gaps.mean(axis=1) if n else np.nan
        errors[block] = gaps.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.nan
    t = np.divide(means, errors, out=np.full(one.size, np.nan), where=errors > 0)
    p = np.where(errors == 0, np.abs(means) < TIE, 2 * stdtr(max(n - 1, 1), -np.abs(t)))
    is_known = ~np.isnan(p)
    p[is_known] = adjust_all(p[is_known], "holm")
    return PairTests(means, p, len(values), is_undefined=min(values.shape) < 2)
