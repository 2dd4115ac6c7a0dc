"""Public functions: how alike two rankings are, and how far two sets of qrels agree."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from trackside.arrays import EqualByContent, Floats, Ints
from trackside.errors import InputError
from trackside.files import Rankings
from trackside.files.leaderboards import Leaderboard
from trackside.findings.grades import agreement_numbers
from trackside.library.evaluating import MEASURES, Measures, evaluate
from trackside.library.inputs import QrelsInput, RunInput, read_qrels, read_run
from trackside.measuring.lookup import JudgedPairs
from trackside.reporting.tables import Column
from trackside.statistics.agreement import confusions_by_topic
from trackside.statistics.correlation import kendall_tau_b_of_rows, rank_biased_overlap, tau_ap_a_of_rows
from trackside.statistics.estimate import Number
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


def correlate_leaderboards(
    first: Leaderboard,
    second: Leaderboard,
    *,
    measures: Sequence[str] = (),
    p: float = 0.9,
) -> Correlation:
    """Return tau-b, tau_AP and RBO of the orders of the runs in two leaderboards, people's and a judge's.

    One row for each measure that both have, or for each pair of measures if they share none; ``measures`` are
    the only ones looked at. ``shared`` counts the runs in both; others are left out. Means over topics that
    differ by less than 1e-9 are tied. Raises InputError.
    """
    known = first.values | second.values
    if unknown := [name for name in measures if name not in known]:
        raise InputError(f"{unknown[0]}: neither leaderboard has it. They have {', '.join(known)}.")
    one, other = (
        [name for name in board.values if not measures or name in measures] for board in (first, second)
    )
    pairs = [(name, name) for name in one if name in other] or list(product(one, other))
    if not pairs:
        raise InputError("the leaderboards have no measure to compare. Name one of each with --measure.")
    return Correlation("measure", tuple(_of_boards(first, second, *pair, p) for pair in pairs))


def _of_boards(first: Leaderboard, second: Leaderboard, one: str, other: str, p: float) -> CorrelationRow:
    totals = first.totals(one)[0], second.totals(other)[0]
    runs = [run for run in totals[0] if run in totals[1]]
    if not runs:
        some = [", ".join(list(total)[:3]) for total in totals]
        raise InputError(
            f"the leaderboards have no run in common: {first.name} has {some[0]}, {second.name} {some[1]}. "
            "Check that both spell them alike."
        )
    means = np.array([[total[run] for total in totals] for run in runs])
    return _of_runs(one if one == other else f"{one} / {other}", np.array(runs), means, p)


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


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(EqualByContent, Shown):
    """Two judges on the ``pair_count`` pairs that both graded, in ``topic_count`` topics.

    ``matrix[i, j]`` counts the pairs with grade ``scale[i]`` from people (the first) and ``scale[j]`` from
    the judge. ``coefficients`` have a value, or None with a reason, and a 95 % interval over new topics.
    """

    scale: tuple[int, ...]
    topic_count: int
    pair_count: int
    matrix: Ints
    coefficients: Mapping[str, Number]

    def _shown(self) -> Outline:
        texts = {name: Column(name, ".4f").text(number) for name, number in self.coefficients.items()}
        pairs, topics = counted(self.pair_count, "pair"), counted(self.topic_count, "topic")
        line, rows = f"{pairs} of {topics}: kappa {texts['kappa']}", texts.items()
        return Outline(line, ("coefficient", "value"), rows)

    def to_frame(self) -> pl.DataFrame:
        """One row per coefficient: coefficient, value, low, high, reason (if value is null), no_interval."""
        rows = [
            (name, number.value, number.low, number.high, number.reason, number.missing)
            for name, number in self.coefficients.items()
        ]
        numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
        schema = {"coefficient": pl.String, **numbers, "reason": pl.String, "no_interval": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")


def agreement(people: QrelsInput, judge: QrelsInput, *, scale: Sequence[int] | None = None) -> Agreement:
    """Return the coefficients of agreement of two sets of qrels that a report has.

    Kappa (plain, linear, quadratic, and at each cut), its ceiling, Krippendorff's alpha, AC1, AC2, the share
    of equal grades, mean absolute error, leniency (the judge's mean grade minus people's), overlap, precision
    and recall at each cut. ``scale`` are the possible grades, also those that nobody gave; default: those in
    either file. Pairs that only one of the two graded are left out. Raises InputError.

    >>> people, clip = {"1": {"a": 0, "b": 1, "c": 2}}, {"1": {"a": 0, "b": 1, "c": 1}}
    >>> found = agreement(people, clip)
    >>> found.pair_count, round(found.coefficients["same grade"].value, 3)
    (3, 0.667)
    """
    qrels_sets = [read_qrels(people, name="people"), read_qrels(judge, name="judge")]
    pairs = JudgedPairs(qrels_sets)
    is_shared = (pairs.grades >= 0).all(axis=0)
    if not is_shared.any():
        raise InputError("no pair of topic and docno has a grade in both. Check that both spell them alike.")
    occurring = pairs.grades[pairs.grades >= 0]
    grades = tuple(sorted(set(scale))) if scale is not None else tuple(np.unique(occurring).tolist())
    first, second = pairs.grades[:, is_shared]
    by_topic = confusions_by_topic(first, second, pairs.topic_of_pair[is_shared], grades)
    return Agreement(
        grades, len(by_topic), len(first), by_topic.sum(axis=0), agreement_numbers(by_topic, grades)
    )
