"""Public functions: how alike two rankings are by tau-b, tau_AP and RBO, as by ``trackside correlate``."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.files import Rankings
from trackside.library.evaluating import MEASURES, Measures, evaluate
from trackside.library.inputs import QrelsInput, RunInput, read_qrels, read_run
from trackside.statistics.correlation import kendall_tau_b_of_rows, rank_biased_overlap, tau_ap_a_of_rows
from trackside.statistics.ranks import mid_ranks
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown, short


class CorrelationRow(NamedTuple):
    """The coefficients of one topic or measure, with the number of items that both rankings have."""

    name: str
    shared: int
    tau_b: float | None
    tau_ap: float | None
    rbo: float | None


@dataclass(frozen=True, slots=True, repr=False)
class Correlation(Shown):
    """Coefficients of two rankings: of documents, one row per topic, or of runs, one row per measure.

    A coefficient is None where it is undefined: tau-b if all are tied, tau_AP if the first ranking has ties,
    both below two shared items.
    """

    by: str
    rows: tuple[CorrelationRow, ...]

    @property
    def tau_b(self) -> float | None:
        """Kendall's tau-b of the shared items, the mean over the rows that have one."""
        return _mean(row.tau_b for row in self.rows)

    @property
    def tau_ap(self) -> float | None:
        """tau_AP of the shared items, in which the top weighs more; the first ranking is the truth."""
        return _mean(row.tau_ap for row in self.rows)

    @property
    def rbo(self) -> float | None:
        """Rank-biased overlap of all items, extrapolated; the mean over the rows."""
        return _mean(row.rbo for row in self.rows)

    def _shown(self) -> Outline:
        line = (
            f"of {counted(len(self.rows), self.by)}: tau-b {short(self.tau_b)}, tau_AP {short(self.tau_ap)}"
        )
        rows = (tuple(map(short, row)) for row in self.rows)
        return Outline(f"{line}, RBO {short(self.rbo)}", self._columns(), rows)

    def to_frame(self) -> pl.DataFrame:
        """One row per topic or measure: topic or measure, shared, tau_b, tau_ap and rbo."""
        types = (pl.String, pl.Int64, pl.Float64, pl.Float64, pl.Float64)
        return pl.DataFrame(self.rows, dict(zip(self._columns(), types, strict=True)), orient="row")

    def _columns(self) -> tuple[str, ...]:
        return (self.by, "shared", "tau_b", "tau_ap", "rbo")


def correlate(
    first: RunInput | QrelsInput,
    second: RunInput | QrelsInput,
    *,
    runs: Iterable[RunInput] | Mapping[str, RunInput] | None = None,
    measures: Measures = MEASURES[0],
    level: int | None = None,
    p: float = 0.9,
) -> Correlation:
    """Return tau-b, tau_AP and RBO of two rankings of documents, or of runs under two sets of qrels.

    Without ``runs``, ``first`` and ``second`` are two runs, compared on each topic that both have. With
    ``runs``, they are two sets of qrels: each measure's means rank the runs, and means that differ by less
    than 1e-9 are tied. The taus are of the items that both rankings have. ``p`` of RBO is from 0 to 1; the
    first 10 ranks have 86 % of its weight at 0.9. RBO orders tied runs by name. Raises InputError.

    >>> one, two = {"1": {"a": 3, "b": 2, "c": 1}}, {"1": {"a": 3, "c": 2, "b": 1}}
    >>> result = correlate(one, two)
    >>> round(result.tau_b, 3), result.tau_ap, round(result.rbo, 3)
    (0.333, 0.5, 0.955)
    """
    if not 0 < p < 1:
        raise InputError(f"p {p}: give a number between 0 and 1, such as 0.9.")
    if runs is None:
        rankings = read_run(first), read_run(second)
        rows = tuple(_of_topic(topic, *rankings, p) for topic in rankings[0] if topic in rankings[1])
        if not rows:
            raise InputError("the two runs have no topic in common. Check that both spell them alike.")
        return Correlation("topic", rows)
    evaluation = evaluate(
        runs, [read_qrels(first, name="first"), read_qrels(second, name="second")], measures, level=level
    )
    if rankless := [measure for measure in evaluation.measures if not measure.family.is_higher_better]:
        raise InputError(f"{rankless[0]}: higher is not better. Use one such as nDCG@10.")
    means = evaluation.means()
    names = np.array(evaluation.runs)
    return Correlation(
        "measure",
        tuple(
            _of_runs(str(measure), names, means[:, :, index], p)
            for index, measure in enumerate(evaluation.measures)
        ),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _of_topic(topic: str, one: Rankings, other: Rankings, p: float) -> CorrelationRow:
    results = [one[topic], other[topic]]
    ranks = [{docno: rank for rank, docno in enumerate(docnos, start=1)} for docnos in results]
    shared = [docno for docno in results[0] if docno in results[1]]
    item_ranks = np.array([[of_run[docno] for docno in shared] for of_run in ranks], np.int64)
    scores = np.array([[of_run[docno] for docno in shared] for of_run in results], np.float64)
    # Dense ranks of the scores: tied only if equal, and finite where a score is not.
    heights = np.array([np.unique(of_run, return_inverse=True)[1] for of_run in scores], np.float64)
    rbo = rank_biased_overlap(item_ranks[0], item_ranks[1], (len(results[0]), len(results[1])), p=p)
    return _row(topic, heights, -item_ranks.astype(np.float64), rbo)


def _of_runs(measure: str, names: NDArray[np.str_], means: Floats, p: float) -> CorrelationRow:
    values = means[~np.isnan(means).any(axis=1)].T
    tags = names[~np.isnan(means).any(axis=1)]
    ranks = [np.argsort(np.lexsort((tags, -mid_ranks(of_set)))) + 1 for of_set in values]
    rbo = rank_biased_overlap(ranks[0], ranks[1], (len(tags), len(tags)), p=p)
    return _row(measure, values, values, rbo)


def _row(name: str, heights: Floats, order: Floats, rbo: float) -> CorrelationRow:
    """``heights`` are compared by tau-b and ``order`` by tau_AP; both are (2, items)."""
    tau_b = kendall_tau_b_of_rows(heights[:1], heights[1:]).item() if heights.shape[1] > 1 else math.nan
    tau_ap = tau_ap_a_of_rows(order[:1], order[1:]).item()
    coefficients = (None if math.isnan(value) else value for value in (tau_b, tau_ap, rbo))
    return CorrelationRow(name, heights.shape[1], *coefficients)
