"""Fusion of several runs into one: by reciprocal ranks, or by sums of normalised scores.

A topic that a run lacks counts as one without results. ranx 0.3.21 computes the same scores; it is not used
for these because it compiles for 40 seconds before its first result and orders ties in another way. Its other
methods are an extra (``trackside[ranx]``).
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise, tee
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.files import Qrels, Rankings
from trackside.files.rows import TopicRows
from trackside.files.text_columns import TextColumn
from trackside.measuring import Measure, evaluate
from trackside.measuring.lookup import distinct_pairs

Norm = Literal["min-max", "none"]
FusionWeights = tuple[float, ...]


class Tuned(NamedTuple):
    """The weight of each run, and the value of the measure with these weights."""

    weights: FusionWeights
    value: float


def reciprocal_rank_fusion(runs: Sequence[Rankings], *, k: int = 60, tag: str = "rrf") -> Rankings:
    """Sum over runs of 1 / (k + rank), ranks from 1 (Cormack, Clarke and Buettcher, SIGIR 2009)."""
    return _Candidates(runs).summed([1 / (k + _ranks(run)) for run in runs], tag)


def weighted_sum(
    runs: Sequence[Rankings], weights: Sequence[float], *, norm: Norm = "min-max", tag: str = "wsum"
) -> Rankings:
    """Weighted sum of normalised scores; a run adds 0 to documents that it lacks."""
    if len(weights) != len(runs):
        raise InputError(
            f"{len(weights)} weights for {len(runs)} runs: give one weight for each run",
            code="weights-do-not-fit",
        )
    is_known = all(isinstance(weight, Real) and math.isfinite(weight) for weight in weights)
    if not is_known or not any(weights):
        raise InputError("give finite weights, not all of them 0", code="weights-do-not-fit")
    parts = [weight * normalised(run, norm) for run, weight in zip(runs, weights, strict=True)]
    return _Candidates(runs).summed(parts, tag)


def comb_sum(runs: Sequence[Rankings], *, norm: Norm = "min-max", tag: str = "combsum") -> Rankings:
    """Sum of normalised scores (Fox and Shaw, TREC-2)."""
    return _Candidates(runs).summed([normalised(run, norm) for run in runs], tag)


def comb_mnz(runs: Sequence[Rankings], *, norm: Norm = "min-max", tag: str = "combmnz") -> Rankings:
    """Sum of normalised scores times the number of runs that found the document (Fox and Shaw, TREC-2)."""
    return _Candidates(runs).summed([normalised(run, norm) for run in runs], tag, is_times_count=True)


CONSTANTS = (0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 200, 500)
"""Constants of reciprocal rank fusion that tuning tries."""


MOST_WEIGHTS = 200_000


def weight_grid(count: int, step: float = 0.1) -> list[FusionWeights]:
    """All weights of ``count`` runs that sum to 1, in steps of ``step``.

    Their number grows fast: with steps of 0.1 it is 11 for two runs, 66 for three, 286 for four. Raises
    weights-do-not-fit if 1 is not a multiple of the step, or for more than MOST_WEIGHTS combinations.
    """
    parts = round(1 / step) if step > 0 else 0
    if not parts or abs(parts * step - 1) > 1e-9:
        raise InputError(
            f"steps of {step} do not add up to 1: choose one such as 0.1 or 0.05", code="weights-do-not-fit"
        )
    bars = max(count - 1, 0)
    slots = parts + bars  # of the parts and of the bars between the runs
    if math.comb(slots, bars) > MOST_WEIGHTS:
        raise InputError(
            f"steps of {step} give {count} runs more than {MOST_WEIGHTS:,} combinations of weights: choose a "
            "larger step or fewer runs",
            code="weights-do-not-fit",
        )
    return [
        tuple((stop - start - 1) / parts for start, stop in pairwise((-1, *chosen, slots)))
        for chosen in combinations(range(slots), bars)
    ]


def tune_weights(
    runs: Sequence[Rankings],
    qrels: Qrels,
    measure: Measure,
    tried: Iterable[FusionWeights],
    *,
    norm: Norm = "min-max",
) -> Tuned:
    """Return the weights in ``tried`` with the highest mean on validation qrels, the first on ties.

    Raises too-few-runs and nothing-to-tune.
    """
    candidates = _Candidates(runs)
    scores = [normalised(run, norm) for run in runs]

    def fuse(weights: FusionWeights) -> Rankings:
        parts = [weight * run_scores for weight, run_scores in zip(weights, scores, strict=True)]
        return candidates.summed(parts, "tried")

    return Tuned(*_best(tried, fuse, qrels, measure))


def tune_constant(runs: Sequence[Rankings], qrels: Qrels, measure: Measure) -> tuple[int, float]:
    """Return the k of reciprocal rank fusion with the highest mean, the first on ties, and this mean.

    Raises too-few-runs and nothing-to-tune.
    """
    return _best(CONSTANTS, lambda k: reciprocal_rank_fusion(runs, k=k, tag="tried"), qrels, measure)


Option = TypeVar("Option")


def _best(
    tried: Iterable[Option], fuse: Callable[[Option], Rankings], qrels: Qrels, measure: Measure
) -> tuple[Option, float]:
    """Return the option with the highest mean on validation qrels, the first on ties, and this mean."""
    if not measure.family.is_higher_better:
        raise InputError(
            f"{measure}: higher is not better. Use a measure such as nDCG@10.", code="nothing-to-tune"
        )
    options, runs = tee(tried)
    means = evaluate(map(fuse, runs), qrels, [measure]).means()[:, 0, 0].tolist()
    known = [(option, mean) for option, mean in zip(options, means, strict=True) if not math.isnan(mean)]
    if not known:
        raise InputError(
            f"{measure} has no value on {qrels.name} for any option. Use another measure.",
            code="nothing-to-tune",
        )
    return max(known, key=lambda option: option[1])


def normalised(run: Rankings, norm: Norm) -> Floats:
    """The run's scores, by `min-max` from 0 to 1 within each topic; 0 where all are equal.

    Raises score-not-finite.
    """
    if not np.isfinite(run.scores).all():
        raise InputError(
            f"run {run.tag}: a score is not a finite number. Fix it, or fuse by rrf.", code="score-not-finite"
        )
    if norm == "none" or not run.result_count:
        return run.scores
    starts, sizes = run.bounds[:-1], np.diff(run.bounds)
    least, most = (np.repeat(end.reduceat(run.scores, starts), sizes) for end in (np.minimum, np.maximum))
    with np.errstate(over="ignore", invalid="ignore"):  # refused when the scores are summed
        width = most - least
        scaled: Floats = np.divide(run.scores - least, width, out=np.zeros(run.result_count), where=width > 0)
    return scaled


def _ranks(run: Rankings) -> Floats:
    """Rank of each result in its topic, from 1."""
    positions = np.arange(run.result_count) - np.repeat(run.bounds[:-1], np.diff(run.bounds))
    return positions.astype(np.float64) + 1


class _Candidates:
    """The distinct pairs of topic and docno of several runs, and the positions of each run's results."""

    def __init__(self, runs: Sequence[Rankings]) -> None:
        if len(runs) < 2:
            raise InputError("fusion needs at least two runs: name more of them", code="too-few-runs")
        self._topics = sorted({topic for run in runs for topic in run.topics})
        index = {topic: number for number, topic in enumerate(self._topics)}
        topics = np.concatenate(
            [np.array([index[topic] for topic in run.topics], np.int64)[run.topic_of_row] for run in runs]
        )
        docnos = TextColumn.joined(run.docno_texts for run in runs)
        pairs = distinct_pairs(topics, docnos)
        small = np.min_scalar_type(len(self._topics))  # numpy sorts numbers of 16 bits by radix
        order = np.argsort(topics[pairs.row_of_pair].astype(small), kind="stable")
        rows, position = pairs.row_of_pair[order], np.empty(len(order), np.int64)
        position[order] = np.arange(len(order))
        self._topic_of_pair, self._docnos = topics[rows], docnos.take(rows)
        self._pairs = np.split(
            position[pairs.pair_of_row], np.cumsum([run.result_count for run in runs[:-1]])
        )

    def summed(self, parts: Sequence[Floats], tag: str, *, is_times_count: bool = False) -> Rankings:
        """The run that ranks by the sum of the runs' contributions, added in the order of the runs.

        Raises score-not-finite.
        """
        size = len(self._docnos)
        total, count = np.zeros(size), np.zeros(size, np.int64)
        with np.errstate(over="ignore", invalid="ignore"):
            for pairs, part in zip(self._pairs, parts, strict=True):
                total += np.bincount(pairs, weights=part, minlength=size)
                count += np.bincount(pairs, minlength=size)
            fused = total * count if is_times_count else total
        if not np.isfinite(fused).all():
            pair = int(np.flatnonzero(~np.isfinite(fused))[0])
            (docno,) = self._docnos.take(slice(pair, pair + 1)).to_list()
            raise InputError(
                f"the fused score of {docno} in topic {self._topics[self._topic_of_pair[pair]]} is not a "
                "finite number. Scale the scores of the runs, or fuse by rrf.",
                code="score-not-finite",
            )
        rows = TopicRows.of_counts(self._topics, np.bincount(self._topic_of_pair).tolist())
        return Rankings(tag, rows, self._docnos, fused)


PREFIX = "ranx:"
# Methods without parameters, and methods that need ``parameters``, which ``ranx.optimize_fusion`` can find on
# validation qrels.
METHODS = (
    "anz", "bordafuse", "condorcet", "gmnz", "isr", "log_isr", "logn_isr", "max", "med", "min", "mnz", "sum",
    "bayesfuse", "mapfuse", "mixed", "posfuse", "probfuse", "rbc", "rrf", "segfuse", "slidefuse",
    "w_bordafuse", "w_condorcet", "wmnz", "wsum",
)  # fmt: skip
NORMS = ("borda", "max", "min-max", "min-max-inverted", "none", "rank", "sum", "zmuv")


def fuse_with_ranx(
    runs: Sequence[Rankings],
    method: str,
    *,
    norm: str = "min-max",
    parameters: Mapping[str, Any] | None = None,
    tag: str = "fused",
) -> Rankings:
    """Fuse several runs by ranx, in trec_eval's order; ``method`` is ranx's name, as "condorcet".

    A topic that a run lacks counts as one without results. Raises ranx-missing, ranx-refused.
    """
    _refuse_unknown(method, norm)
    if len(runs) < 2:
        raise InputError("fusion needs at least two runs: name more of them.", code="ranx-refused")
    try:
        from ranx import Run, fuse  # loads numba, for half a minute
    except ImportError as error:
        raise InputError(
            "ranx is not installed: pip install 'trackside[ranx]'.", code="ranx-missing"
        ) from error
    topics = sorted({topic for run in runs for topic in run.topics})
    ranx_runs = [Run({topic: {} for topic in topics} | run.to_dict(), name=run.tag) for run in runs]
    try:
        fused = fuse(ranx_runs, None if norm == "none" else norm, method, dict(parameters or {}))
    except (TypeError, ValueError, AssertionError, KeyError) as error:
        raise InputError(
            f"ranx does not fuse by {method} ({error}). Check its parameters.", code="ranx-refused"
        ) from error
    return Rankings.from_dict(fused.to_dict(), tag=tag)


def _refuse_unknown(method: str, norm: str) -> None:
    for what, name, known in (("method", method, METHODS), ("norm", norm, NORMS)):
        if name not in known:
            raise InputError(
                f"ranx has no {what} {name}. Choose one of: {', '.join(sorted(known))}.", code="ranx-refused"
            )
