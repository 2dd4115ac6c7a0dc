"""Do two sets of qrels lead to the same findings? Significant differences of pairs of runs under each set.

The six kinds are those of Faggioli and Ferro (ECIR 2021): active if both sets find a significant difference,
mixed if one does, passive if none does; agreement if both order the two runs alike, else disagreement.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Flags, Floats
from evaluation.core.statistics.comparison.multiplicity import adjust_all
from evaluation.core.statistics.comparison.tukey import randomised_tukey
from evaluation.core.statistics.ranks import TIE

KINDS = ("AA", "AD", "MA", "MD", "PA", "PD")
TUKEY_DRAWS = 2_000


@dataclass(frozen=True, slots=True)
class PairTests:
    """All pairs of runs under one set: mean differences and adjusted p.

    ``is_undefined`` is set if nothing can be tested: there is a single topic, or a single run.
    """

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


@dataclass(frozen=True, slots=True)
class Decisions:
    """Counts of pairs by kind; ``found`` are the other set's findings, ``false`` those that are not true."""

    counts: dict[str, int]
    found: int
    false: int


def paired_t_tests(values: Floats) -> PairTests:
    """Paired t-test of every pair of runs over a (runs, topics) table, p adjusted by Holm.

    p is 0 for two runs that differ by the same amount on all topics, and 1 if they do not differ.
    """
    from scipy.special import stdtr

    one, two = np.triu_indices(len(values), k=1)
    n = values.shape[1]
    means, errors = np.zeros(one.size), np.zeros(one.size)
    for start in range(0, one.size, 2_000):  # bounds the memory for many runs
        chosen = slice(start, start + 2_000)
        gaps = np.round(values[one[chosen]] - values[two[chosen]], 10)
        means[chosen] = gaps.mean(axis=1) if n else np.nan
        errors[chosen] = gaps.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.nan
    t = np.divide(means, errors, out=np.full(one.size, np.nan), where=errors > 0)
    p = np.where(errors == 0, np.abs(means) < TIE, 2 * stdtr(max(n - 1, 1), -np.abs(t)))
    is_known = ~np.isnan(p)
    p[is_known] = adjust_all(p[is_known], "holm")
    return PairTests(means, p, len(values), is_undefined=min(values.shape) < 2)


def tukey_tests(tables: Sequence[Floats], *, seed: int, draws: int = TUKEY_DRAWS) -> list[PairTests]:
    """Randomised Tukey HSD of every pair of runs over each (runs, topics) table; all have one shape."""
    one, two = np.triu_indices(len(tables[0]), k=1)
    if min(tables[0].shape) < 2:
        nothing = np.full(one.size, np.nan)
        return [PairTests(nothing, nothing, len(tables[0]), is_undefined=True) for _ in tables]
    found = randomised_tukey([values.T for values in tables], seed=seed, draws=draws)
    means = [values.mean(axis=1) for values in tables]
    return [
        PairTests(mean[one] - mean[two], p[one, two], len(mean)) for mean, p in zip(means, found, strict=True)
    ]


def compare_decisions(truth: PairTests, other: PairTests, *, alpha: float) -> Decisions:
    """Count the pairs of each kind. A pair tied under either set counts as agreement."""
    in_truth, in_other = truth.is_significant(alpha), other.is_significant(alpha)
    signs = [
        np.where(np.abs(each.differences) < TIE, 0.0, np.sign(each.differences)) for each in (truth, other)
    ]
    is_alike = signs[0] * signs[1] >= 0
    kinds = {"A": in_truth & in_other, "M": in_truth ^ in_other, "P": ~in_truth & ~in_other}
    counts = {
        f"{kind}{'A' if alike else 'D'}": int((pairs & (is_alike if alike else ~is_alike)).sum())
        for kind, pairs in kinds.items()
        for alike in (True, False)
    }
    found = int(in_other.sum())
    return Decisions(counts, found, found - counts["AA"])
