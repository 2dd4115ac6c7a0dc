"""A leaderboard for one measure: rank, interval and letters of runs, from their values on the same topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from evaluation.core.arrays import Flags, Floats, Ints
from evaluation.core.bootstrap import FEWEST_TOPICS, draw_counts, percentile_interval
from evaluation.core.decisions import paired_t_tests
from evaluation.core.estimate import Interval
from evaluation.core.leaderboard import run_ranks
from evaluation.core.multiplicity import letters

ALPHA = 0.05
SEED = 0
DASH = "\N{EN DASH}"
SHORTEST_SPAN = 3  # letters in a row that are written a to c


@dataclass(frozen=True, slots=True)
class Standing:
    """One run's place; `better_than` are the letters of the runs that it is significantly better than.

    `mean` is over the topics that have a value, None without any. A run without a mean has no rank.
    """

    tag: str
    rank: int | None
    letter: str
    mean: float | None
    interval: Interval
    better_than: str


def standings(values: Floats, tags: Sequence[str]) -> list[Standing]:
    """The runs of a (runs, topics) table from the best mean to the worst; NaN is a topic without a value.

    Better: paired t-test over the topics on which all runs have a value, Holm-corrected over all pairs,
    p at most 0.05. Intervals are percentiles of 2,000 bootstrap samples of topics.
    """
    means = _means(values, np.ones((1, values.shape[1]), dtype=np.int64))[0]
    known = {tag: float(mean) for tag, mean in zip(tags, means, strict=True) if not np.isnan(mean)}
    ranks = run_ranks(known)
    places = sorted(range(len(tags)), key=lambda place: (ranks.get(tags[place], len(tags) + 1), tags[place]))
    names = letters(len(tags))
    is_better = _is_better(values[places])
    samples = (
        _means(values, draw_counts(values.shape[1], seed=SEED))
        if values.size and values.shape[1] >= FEWEST_TOPICS
        else np.empty((0, len(tags)))
    )
    return [
        Standing(
            tags[place],
            ranks.get(tags[place]),
            names[row],
            known.get(tags[place]),
            percentile_interval(samples[:, place]),
            spans([names[other] for other in np.flatnonzero(is_better[row])], names),
        )
        for row, place in enumerate(places)
    ]


def _means(values: Floats, counts: Ints) -> Floats:
    """Mean of each run in each sample, (samples, runs), over topics that have a value; NaN without any."""
    weights = counts.astype(np.float64)
    sums = weights @ np.nan_to_num(values).T
    known = weights @ (~np.isnan(values)).astype(np.float64).T
    means: Floats = np.divide(sums, known, out=np.full(sums.shape, np.nan), where=known > 0)
    return means


def _is_better(values: Floats) -> Flags:
    """Whether the run of a row is significantly better than that of a column; runs without values are not."""
    is_better = np.zeros((len(values), len(values)), dtype=np.bool_)
    runs = np.flatnonzero(~np.isnan(values).all(axis=1))
    known = values[runs]
    tests = paired_t_tests(known[:, ~np.isnan(known).any(axis=0)])
    one, two = (runs[places] for places in np.triu_indices(runs.size, k=1))
    found = tests.is_significant(ALPHA)
    first, second = found & (tests.differences > 0), found & (tests.differences < 0)
    is_better[one[first], two[first]] = True
    is_better[two[second], one[second]] = True
    return is_better


def spans(chosen: Sequence[str], names: Sequence[str]) -> str:
    """Letters of a table with three or more neighbours written from-to: "a c–f"."""
    places = {name: place for place, name in enumerate(names)}
    steps = [(name, places[name] - step) for step, name in enumerate(chosen)]
    parts: list[str] = []
    for _, group in groupby(steps, key=lambda step: step[1]):
        row = [name for name, _ in group]
        parts += row if len(row) < SHORTEST_SPAN else [f"{row[0]}{DASH}{row[-1]}"]
    return " ".join(parts)
