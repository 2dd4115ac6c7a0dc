"""Multiple testing: adjusted p, the letters that papers print beside a run, and t-tests of all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from string import ascii_lowercase
from typing import Literal

import numpy as np

from trackside.arrays import Flags, Floats
from trackside.statistics.ranks import TIE

CorrectionMethod = Literal["bonferroni", "holm", "BH", "BY"]


def adjust(p_values: Sequence[float | None], method: CorrectionMethod) -> list[float | None]:
    """Adjust the p of each test, in the same order; None stays None and does not count as a test."""
    indices = [index for index, p in enumerate(p_values) if p is not None]
    p = np.array([value for value in p_values if value is not None], dtype=np.float64)
    adjusted = dict(zip(indices, adjust_all(p, method).tolist(), strict=True))
    return [adjusted.get(index) for index in range(len(p_values))]


def adjust_all(p: Floats, method: CorrectionMethod) -> Floats:
    """Adjust as `adjust` does, an array without gaps."""
    m = p.size
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, m + 1)
    match method:
        case "bonferroni":
            return np.minimum(p * m, 1.0)
        case "holm":
            stepped = np.maximum.accumulate(p[order] * (m - ranks + 1))
        case "BH" | "BY":
            price = (1 / ranks).sum() if method == "BY" else 1.0
            stepped = np.minimum.accumulate((p[order] * m / ranks * price)[::-1])[::-1]
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def letters(count: int) -> list[str]:
    """Return letters for `count` runs: a to z, then aa, ab and so on."""
    names = (product(ascii_lowercase, repeat=size) for size in range(1, count + 1))
    return list(islice(map("".join, chain.from_iterable(names)), count))


def superscripts(runs: Sequence[str], better: Mapping[tuple[str, str], bool]) -> dict[str, str]:
    """The letters of the runs, in the order of the table, that each run is significantly better than."""
    names = dict(zip(runs, letters(len(runs)), strict=True))
    beaten = {run: [names[other] for other in runs if better.get((run, other), False)] for run in runs}
    separator = "," if len(runs) > len(ascii_lowercase) else ""
    return {run: separator.join(worse) for run, worse in beaten.items()}


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
