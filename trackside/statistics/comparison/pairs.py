"""Compare every pair of runs under one measure: difference of means, tests and effect sizes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import polars as pl

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.statistics.comparison.multiplicity import CorrectionMethod, adjust, letters, superscripts
from trackside.statistics.comparison.paired_tests import (
    EffectSize,
    SignTest,
    differences,
    effect_size,
    randomisation_test,
    sign_test,
    t_test,
    wilcoxon_test,
)
from trackside.statistics.comparison.tukey import randomised_tukey, tukey_hsd
from trackside.statistics.estimate import Estimate, Interval, Reason
from trackside.text.counted import counted
from trackside.text.latex import latex_escaped
from trackside.text.shown import Outline, Shown

PairTest = Literal["t", "wilcoxon", "sign", "randomisation"]
TableTest = Literal["tukey", "randomised-tukey"]
Test = PairTest | TableTest
LEVEL = 0.95  # of all intervals
TABLE_TESTS = ("tukey", "randomised-tukey")


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Mean of run `better` minus mean of run `worse`, with p unadjusted and adjusted for all pairs."""

    better: str
    worse: str
    difference: float
    interval: Interval
    p: Estimate
    adjusted_p: Estimate
    effect: EffectSize
    sign: SignTest
    is_significant: bool


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Shown):
    """Means from best to worst, the letters that each run beats, all pairs, and topics without a value."""

    means: dict[str, float]
    letters: dict[str, str]
    pairs: tuple[ComparedPair, ...]
    topic_count: int
    left_out: int

    def _shown(self) -> Outline:
        significant = sum(pair.is_significant for pair in self.pairs)
        pairs, topics = counted(len(self.pairs), "pair"), counted(self.topic_count, "topic")
        line = f"{counted(len(self.means), 'run')} on {topics}: {significant:,} of {pairs} significant"
        rows = ((run, f"{mean:.4f}", self.letters[run]) for run, mean in self.means.items())
        return Outline(line, ("run", "mean", "better than"), rows)

    def to_frame(self) -> pl.DataFrame:
        """One row per pair: better, worse, difference, low, high, p, adjusted_p, d_z, g_z, wins, ties,
        losses, is_significant, and reason, a code where p is null."""
        rows = [
            {
                "better": pair.better,
                "worse": pair.worse,
                "difference": pair.difference,
                "low": pair.interval.low,
                "high": pair.interval.high,
                "p": pair.p.value,
                "adjusted_p": pair.adjusted_p.value,
                "d_z": pair.effect.d_z.value,
                "g_z": pair.effect.g_z.value,
                "wins": pair.sign.wins,
                "ties": pair.sign.ties,
                "losses": pair.sign.losses,
                "is_significant": pair.is_significant,
                "reason": pair.p.reason,
            }
            for pair in self.pairs
        ]
        numbers = ("low", "high", "p", "adjusted_p", "d_z", "g_z")
        return pl.DataFrame(
            rows, schema_overrides={**dict.fromkeys(numbers, pl.Float64), "reason": pl.String}
        )

    def to_latex(self, measure: str = "mean", *, comments: Iterable[str] = ()) -> str:
        """A table of the runs for booktabs; superscripts are the letters of the runs that each one beats."""
        rows = [
            f"{name} & {latex_escaped(run)} & {mean:.4f}" + (f"$^{{{better}}}$" if better else "") + " \\\\"
            for name, (run, mean), better in zip(
                letters(len(self.means)), self.means.items(), self.letters.values(), strict=True
            )
        ]
        head = ["\\begin{tabular}{llr}", "\\toprule", f" & Run & {latex_escaped(measure)} \\\\", "\\midrule"]
        lines = [*(f"% {comment}" for comment in comments), *head, *rows, "\\bottomrule", "\\end{tabular}"]
        return "\n".join(lines)


def compare_runs(
    values: Floats,
    runs: Sequence[str],
    *,
    test: Test = "t",
    method: CorrectionMethod | None = "holm",
    alpha: float = 0.05,
    baseline: str | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare the runs of a (topics, runs) table; NaN marks a run without a value on a topic.

    With a baseline only the pairs with it are tested and adjusted for. Tukey's tests adjust for all pairs
    themselves, so they ignore `method`. Raises InputError.
    """
    table = complete_topics(values, runs)
    if baseline is not None and baseline not in runs:
        raise InputError(f"the baseline {baseline} is not a run: name one of {', '.join(runs)}")
    means = table.mean(axis=0)
    order = sorted(range(len(runs)), key=lambda index: (-means[index], runs[index]))
    base = None if baseline is None else runs.index(baseline)
    pairs = [pair for pair in combinations(order, 2) if base is None or base in pair]
    tested = _tested(table, pairs, test, method, seed)
    compared = tuple(_pair(table, runs, pair, p, alpha) for pair, p in zip(pairs, tested, strict=True))
    ranked = [runs[index] for index in order]
    better = {(pair.better, pair.worse): pair.is_significant for pair in compared}
    return Comparison(
        {runs[index]: float(means[index]) for index in order},
        superscripts(ranked, better),
        compared,
        len(table),
        len(values) - len(table),
    )


def complete_topics(values: Floats, runs: Sequence[str]) -> Floats:
    """The topics on which every run has a value. Raises InputError."""
    table = values[~np.isnan(values).any(axis=1)]
    if len(runs) < 2 or len(table) < 2:
        raise InputError(
            f"{counted(len(runs), 'run')} with values on {counted(len(table), 'common topic')}: a comparison "
            "needs two of each. Add some, or choose a measure that has values on more topics"
        )
    return table


@dataclass(frozen=True, slots=True)
class _Tested:
    p: Estimate
    adjusted: Estimate
    interval: Interval


def _tested(
    table: Floats, pairs: Sequence[tuple[int, int]], test: Test, method: CorrectionMethod | None, seed: int
) -> list[_Tested]:
    if test == "tukey":
        return _by_tukey(table, pairs)
    if test == "randomised-tukey":
        p = randomised_tukey(table, seed=seed)
        nothing = Interval.undefined(Reason.NO_INTERVAL, LEVEL)
        return [_Tested(Estimate.of(p[i, j]), Estimate.of(p[i, j]), nothing) for i, j in pairs]
    estimates = [PAIR_P[test](differences(table[:, i], table[:, j]), seed) for i, j in pairs]
    adjusted = estimates
    if method is not None:
        values = zip(estimates, adjust([estimate.value for estimate in estimates], method), strict=True)
        adjusted = [estimate if value is None else Estimate.of(value) for estimate, value in values]
    intervals = [t_test(differences(table[:, i], table[:, j])).interval for i, j in pairs]
    return [_Tested(*fields) for fields in zip(estimates, adjusted, intervals, strict=True)]


def _by_tukey(table: Floats, pairs: Sequence[tuple[int, int]]) -> list[_Tested]:
    test = tukey_hsd(table)
    if test is None:
        nothing = Estimate.undefined(Reason.NO_SPREAD)
        return [_Tested(nothing, nothing, Interval.undefined(Reason.NO_SPREAD, LEVEL))] * len(pairs)
    tested = []
    for i, j in pairs:
        p, gap = Estimate.of(test.p[i, j]), float(table[:, i].mean() - table[:, j].mean())
        tested.append(_Tested(p, p, Interval(gap - test.half, gap + test.half, LEVEL)))
    return tested


def _pair(
    table: Floats, runs: Sequence[str], pair: tuple[int, int], tested: _Tested, alpha: float
) -> ComparedPair:
    i, j = pair
    d = differences(table[:, i], table[:, j])
    return ComparedPair(
        runs[i],
        runs[j],
        float(d.mean()),
        tested.interval,
        tested.p,
        tested.adjusted,
        effect_size(d),
        sign_test(d),
        tested.adjusted.value is not None and tested.adjusted.value <= alpha,
    )


PAIR_P: dict[PairTest, Callable[[Floats, int], Estimate]] = {
    "t": lambda d, seed: t_test(d).p,
    "wilcoxon": lambda d, seed: wilcoxon_test(d).p,
    "sign": lambda d, seed: sign_test(d).p,
    "randomisation": lambda d, seed: randomisation_test(d, seed=seed).p,
}
