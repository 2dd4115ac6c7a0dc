"""Intervals of the exchange rate, and the rate of the same judge on shallower pools."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from tests.simulations.made import SCALE
from tests.simulations.rows import Coverage, Row
from tests.simulations.uses import MISSES, drawn_misses
from trackside.findings.uses.pairs import ComparedPairs
from trackside.findings.uses.tune import gains_of_pleasing, rate_of, tune_use
from trackside.findings.verdicts import Margins

TRUTH_TOPICS = 10_000
SHIFT_ERROR = 0.003  # of two rates over that many topics of the same tracks
RATE_ERRORS = (0.1, 0.5, 0.9)
POOL_DEPTHS = (20, 10, 5)


def compared(
    rng: np.random.Generator, topics: int, missed: tuple[float, float], error: float, runs: int = 16
) -> ComparedPairs:
    """All pairs of people, a judge and a second assessor."""
    track, people, judge, second = drawn_misses(rng, topics, missed, error, runs)
    of_topic, results = track.topic_of_pair, tuple(track.results)
    return ComparedPairs("nDCG@10", SCALE, 1, 1, of_topic, topics, people, judge, (second,), results)


@cache
def true_rates(
    missed: tuple[float, float], error: float, runs: int = 16, depth: int = 20
) -> tuple[float, float]:
    """The judge's and the second assessor's exchange rates over many topics; ``depth`` is the pool's."""
    rng = np.random.default_rng(5)
    pairs = _pooled(compared(rng, TRUTH_TOPICS, missed, error, runs), depth)
    judge, second = (rate_of(*gains_of_pleasing(pairs, grades)) for grades in (pairs.judge, pairs.seconds[0]))
    assert judge is not None
    assert second is not None
    return judge, second


def _pooled(pairs: ComparedPairs, depth: int) -> ComparedPairs:
    """People graded the first results of each run."""
    is_in = np.zeros(pairs.topics.size, dtype=np.bool_)
    for run in pairs.results:
        is_in[run.pairs[run.ranks < depth]] = True
    return pairs.where(is_in)


def rates(tracks: int, seed: int) -> Iterator[Row]:
    """Coverage of the rate's interval, and the rate of the same judge on shallower pools."""
    for miss_index, (name, missed) in enumerate(MISSES.items()):
        for error in RATE_ERRORS:
            truth, _ = true_rates(missed, error)
            for topics in (20, 40, 74):
                coverage = Coverage()
                for at in range(tracks):
                    rng = np.random.default_rng([seed, 21, miss_index, int(10 * error), topics, at])
                    pairs = compared(rng, topics, missed, error)
                    use = tune_use(
                        replace(pairs, seconds=()), second=None, is_second_whole=False, margins=Margins()
                    )
                    coverage.add(use.low, use.high, truth)
                figures = coverage.figures | {"rate": truth}
                yield Row(f"missed {name}", f"wrong {error:.0%}", tracks, figures, topics)
            by_depth = {depth: true_rates(missed, error, depth=depth)[0] for depth in POOL_DEPTHS}
            shifts = [abs(by_depth[depth] - by_depth[POOL_DEPTHS[0]]) for depth in POOL_DEPTHS]
            by_pool: dict[str, float | None] = {"shift": max(shifts), "± shift": SHIFT_ERROR}
            by_pool |= {f"pool depth {depth}": rate for depth, rate in by_depth.items()}
            yield Row(f"missed {name}", f"wrong {error:.0%}, shallower pools", 1, by_pool, TRUTH_TOPICS)
