"""Several runs into one: by reciprocal ranks, or by sums of normalised scores.

A topic that a run lacks counts as one without results. ranx 0.3.21 gives the same scores; it is not used
here because it compiles for 40 seconds before its first answer and does not order ties as trec_eval does.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl

from evaluation.core.errors import InputError
from evaluation.core.trec_files import Rankings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from evaluation.core.arrays import Floats

Norm = Literal["min-max", "none"]


class TooFewRuns(InputError):
    """Fusion of fewer than two runs."""


class WeightsDoNotFit(InputError):
    """Not one weight a run, or steps that do not add up to 1."""


class Tuned(NamedTuple):
    """The weight of each run, and the value of the measure that they reached."""

    weights: tuple[float, ...]
    value: float


def reciprocal_rank_fusion(runs: Sequence[Rankings], *, k: int = 60, tag: str = "rrf") -> Rankings:
    """Sum over runs of 1 / (k + rank), rank 1 for the best (Cormack, Clarke and Buettcher, SIGIR 2009)."""
    return _fused(runs, [1 / (k + _ranks(run)) for run in runs], tag)


def weighted_sum(
    runs: Sequence[Rankings], weights: Sequence[float], *, norm: Norm = "min-max", tag: str = "wsum"
) -> Rankings:
    """Sum of normalised scores, each run's times its weight; a document that a run lacks gets 0 from it."""
    if len(weights) != len(runs):
        raise WeightsDoNotFit(f"{len(weights)} weights for {len(runs)} runs: give one weight for each run")
    parts = [weight * normalised(run, norm) for run, weight in zip(runs, weights, strict=True)]
    return _fused(runs, parts, tag)


def comb_sum(runs: Sequence[Rankings], *, norm: Norm = "min-max", tag: str = "combsum") -> Rankings:
    """Sum of normalised scores (Fox and Shaw, TREC-2)."""
    return _fused(runs, [normalised(run, norm) for run in runs], tag)


def comb_mnz(runs: Sequence[Rankings], *, norm: Norm = "min-max", tag: str = "combmnz") -> Rankings:
    """Sum of normalised scores times the number of runs that found the document (Fox and Shaw, TREC-2)."""
    return _fused(runs, [normalised(run, norm) for run in runs], tag, is_times_count=True)


def tune_weights(count: int, value_of: Callable[[tuple[float, ...]], float], *, step: float = 0.1) -> Tuned:
    """The weights that sum to 1, in steps, with the highest `value_of`; the first in order where several are.

    `value_of` fuses and evaluates, on validation qrels. The number of tries grows fast: at steps of 0.1 it is
    11 for two runs, 66 for three, 286 for four. Raises WeightsDoNotFit when 1 is not a multiple of the step.
    """
    parts = round(1 / step) if step > 0 else 0
    if not parts or abs(parts * step - 1) > 1e-9:
        raise WeightsDoNotFit(f"steps of {step} do not add up to 1: choose 0.1, 0.05, 0.25 or the like")
    tried = (
        tuple(part / parts for part in weights)
        for weights in product(range(parts + 1), repeat=count)
        if sum(weights) == parts
    )
    return max((Tuned(weights, value_of(weights)) for weights in tried), key=lambda tuned: tuned.value)


def normalised(run: Rankings, norm: Norm) -> Floats:
    """The run's scores, by `min-max` from 0 to 1 within each topic; 0 where all are equal."""
    if norm == "none" or not len(run):
        return run.scores
    starts, sizes = run.bounds[:-1], np.diff(run.bounds)
    least, most = (np.repeat(end.reduceat(run.scores, starts), sizes) for end in (np.minimum, np.maximum))
    width = most - least
    scaled: Floats = np.divide(run.scores - least, width, out=np.zeros(len(run)), where=width > 0)
    return scaled


def _ranks(run: Rankings) -> Floats:
    """Rank of each result in its topic, from 1."""
    places = np.arange(len(run)) - np.repeat(run.bounds[:-1], np.diff(run.bounds))
    return places.astype(np.float64) + 1


def _fused(
    runs: Sequence[Rankings], parts: Sequence[Floats], tag: str, *, is_times_count: bool = False
) -> Rankings:
    if len(runs) < 2:
        raise TooFewRuns("fusion needs at least two runs: name more of them")
    rows = pl.concat([_frame(run, part) for run, part in zip(runs, parts, strict=True)])
    # The parts of a document are summed in the order of the runs, so the last digit never varies.
    found = rows.group_by("topic", "docno", maintain_order=True).agg(pl.col("part"))
    score = pl.col("part").list.sum()
    if is_times_count:
        score *= pl.col("part").list.len()
    return Rankings.from_frame(found.select("topic", "docno", score=score), tag=tag)


def _frame(run: Rankings, part: Floats) -> pl.DataFrame:
    topics = pl.Series("topic", run.topics, pl.String).gather(run.topic_of_row)
    return pl.DataFrame({"topic": topics, "docno": run.docnos, "part": part})
