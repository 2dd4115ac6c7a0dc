"""A leaderboard for one measure: rank, interval and letters of runs, from their values on the same topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from trackside.arrays import Flags, Floats
from trackside.statistics.comparison.multiplicity import letters, paired_t_tests
from trackside.statistics.estimate import Interval
from trackside.statistics.ranks import run_ranks
from trackside.uncertainty.means import mean_intervals

ALPHA = 0.05
DASH = "\N{EN DASH}"
SHORTEST_SPAN = 3  # consecutive letters that are written as a span, a–c


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard; `better_than` are the letters of the significantly worse runs.

    `mean` is over the topics that have a value, None without any. A run without a mean has no rank.
    """

    tag: str
    rank: int | None
    letter: str
    mean: float | None
    interval: Interval
    better_than: str


def standings(
    values: Floats, tags: Sequence[str], *, bounds: tuple[float, float] | None = None
) -> list[Standing]:
    """The runs of a (runs, topics) table from the best mean to the worst; NaN is a topic without a value.

    A run is better if a paired t-test over the topics on which all runs have a value gives p at most 0.05,
    Holm-corrected over all pairs. Intervals over new topics of this kind are within `bounds`, the measure's.
    """
    means = _means(values)
    known = {tag: float(mean) for tag, mean in zip(tags, means, strict=True) if not np.isnan(mean)}
    ranks = run_ranks(known)
    order = sorted(range(len(tags)), key=lambda index: (ranks.get(tags[index], len(tags) + 1), tags[index]))
    names = letters(len(tags))
    is_better = _is_better(values[order])
    intervals = mean_intervals(values, bounds=bounds).intervals
    return [
        Standing(
            tags[index],
            ranks.get(tags[index]),
            names[row],
            known.get(tags[index]),
            intervals[index],
            spans([names[other] for other in np.flatnonzero(is_better[row])], names),
        )
        for row, index in enumerate(order)
    ]


def _means(values: Floats) -> Floats:
    """Mean of each run over the topics that have a value; NaN without any."""
    known = (~np.isnan(values)).sum(axis=1)
    sums = np.nan_to_num(values).sum(axis=1)
    means: Floats = np.divide(sums, known, out=np.full(len(values), np.nan), where=known > 0)
    return means


def _is_better(values: Floats) -> Flags:
    """Whether the row's run is significantly better than the column's; False for runs without values."""
    is_better = np.zeros((len(values), len(values)), dtype=np.bool_)
    runs = np.flatnonzero(~np.isnan(values).all(axis=1))
    known = values[runs]
    tests = paired_t_tests(known[:, ~np.isnan(known).any(axis=0)])
    row, column = (runs[indices] for indices in np.triu_indices(runs.size, k=1))
    is_significant = tests.is_significant(ALPHA)
    first, second = is_significant & (tests.differences > 0), is_significant & (tests.differences < 0)
    is_better[row[first], column[first]] = True
    is_better[column[second], row[second]] = True
    return is_better


def spans(chosen: Sequence[str], names: Sequence[str]) -> str:
    """Letters of a table, three or more consecutive ones written as a span: "a c–f"."""
    positions = {name: position for position, name in enumerate(names)}
    steps = [(name, positions[name] - step) for step, name in enumerate(chosen)]
    parts: list[str] = []
    for _, group in groupby(steps, key=lambda step: step[1]):
        row = [name for name, _ in group]
        parts += row if len(row) < SHORTEST_SPAN else [f"{row[0]}{DASH}{row[-1]}"]
    return " ".join(parts)
