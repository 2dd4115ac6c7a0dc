"""How wide the loop's intervals are in the setting of its definitions: beside no judge and two bounds."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from tests.simulations.loop import STORE, STRONG, TOP, Hidden, hidden, stored
from tests.simulations.real import NAMES, real_folder
from tests.simulations.rows import Row
from trackside.loop.claims import Z
from trackside.loop.drawing import Beliefs
from trackside.loop.effects import Expectation
from trackside.loop.replay import Point, averaged, point_of, replayed_looks
from trackside.statistics.sampling import capped_chances

SIZES, LOOKED = (1_500, 3_000), 5  # judgments, in so many batches
NEYMAN = {"dl2021": (0.0317, 0.0158), "robust03": (0.0273, 0.0122)}
"""Half-widths of Neyman's bound with the strongest judge at each size, as the definitions state them."""
BOUND_TIMES = 10


def widths(tracks: int, seed: int) -> Iterator[Row]:
    """Half-widths of nDCG@10 with the strongest judge, beside those without a judge and two bounds."""
    folder = real_folder()
    for name in NAMES if folder else ():
        world = hidden(folder, name)
        for size, defined in zip(SIZES, NEYMAN[name], strict=True):
            ends = {}
            for judge in (STRONG, "none"):
                path = STORE / "loop-widths" / f"{name},{judge},{size}.jsonl"
                replays = stored(path, tracks, partial(_wide, world, judge, size, seed))
                ends[judge] = [points[0].half_width for points in averaged(replays)]
            (half, error), (alone, alone_error) = ends[STRONG], ends["none"]
            bounds = [least_half_width(world, size, seed, number) for number in range(BOUND_TIMES)]
            figures = {
                "half": half,
                "of none": half / alone,
                "± of none": half / alone * math.hypot(error / half, alone_error / alone),
                "defined": half / defined,
                "± defined": error / defined,
                "own": half * BOUND_TIMES / sum(bounds),
            }
            yield Row(f"{name}, nDCG@10, {STRONG}", f"{size:,}", tracks, figures)


def _wide(world: Hidden, judge: str, size: int, seed: int, number: int) -> list[Point]:
    target, rng = world.target("nDCG@10"), np.random.default_rng([seed, size, number])
    truth, scores = target.values(world.grades).mean(axis=0), world.scores(judge, rng)
    looks = replayed_looks(target, world.grades, scores, [size // LOOKED] * LOOKED, rng, after=(LOOKED,))
    return [point_of(target, truth, found.means, found, TOP, count) for count, found in looks]


def least_half_width(world: Hidden, size: int, seed: int, number: int) -> float:
    """Neyman's bound: pairs drawn at once, with chances by the effects that a model fitted to all of people's
    grades expects.
    """
    target, rng = world.target("nDCG@10"), np.random.default_rng([seed, size, number])
    beliefs = Beliefs(target.universe, world.scores(STRONG, rng), len(target.gains) - 1)
    beliefs.learn(world.grades)
    unknown = np.full(len(world.grades), -1)
    tails = beliefs.tails(np.arange(len(unknown)), rng)
    variance = Expectation(target, unknown, unknown >= 0, tails, rng).influence(centred=0.0)
    return Z * float(np.sqrt((variance * (1 / capped_chances(np.sqrt(variance), size) - 1)).sum()))
