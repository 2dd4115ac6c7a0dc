"""Hybrid qrels of a plan, and the values of any runs under them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.files.hybrid import HybridQrels
from trackside.loop.drawing import DRAWS, Batch, Beliefs
from trackside.loop.effects import Expectation
from trackside.loop.estimating import look
from trackside.loop.steps import State
from trackside.loop.targets import Target
from trackside.pooling.universe import Heads, Universe
from trackside.statistics.calibration import logistic

_CLIP = 1e-6


@dataclass(frozen=True)
class HybridValue:
    """A run's ``expected`` mean, from people's grades and else the model's chances; the ``estimate`` that
    corrects the model by people's grades, with its standard error (NaN without drawn grades); and the share
    of the run's results that the file lacks: they count as not relevant.
    """

    tag: str
    expected: float
    estimate: float
    error: float
    missing: float


class _Stored(Beliefs):
    """The chances of a file, with one shift of the logits a topic and draw."""

    def __init__(self, tails: Floats, spread: Floats, topic: Ints) -> None:
        clipped = np.clip(tails, _CLIP, 1 - _CLIP)
        self.logits, self.spread, self.topic = np.log(clipped / (1 - clipped)), spread[:, None], topic

    def tails(
        self, pairs: Ints, rng: np.random.Generator, without: tuple[Ints, Ints] | None = None
    ) -> Floats:
        shifts = rng.normal(size=(DRAWS, self.topic.max() + 1))[:, self.topic, None]
        return logistic(self.logits + self.spread * shifts)[:, pairs]


def hybrid_of(state: State) -> HybridQrels:
    """The hybrid qrels of what a plan's people have graded so far."""
    grades, every = state.grades.values, np.arange(state.universe.pair_count)
    rng = np.random.default_rng(state.plan.seed)
    drawn = state.beliefs[-1].tails(every, rng)
    first = np.clip(drawn[:, :, 0], _CLIP, 1 - _CLIP)
    batch, chances, rest = np.zeros(len(every), int), [], []
    for number, (one, prefix) in enumerate(zip(state.batches, state.prefixes, strict=True), 1):
        batch[one.order[:prefix]] = number
        chances.append(one.chance * prefix / len(one.order))
        rest.append(state.beliefs[one.version].tails(every, rng, (grades, one.order)).mean(axis=0))
    spread = np.log(first / (1 - first)).std(axis=0)
    return HybridQrels(
        state.universe.names, grades, batch, spread, drawn.mean(axis=0), np.array(chances), np.array(rest)
    )


def hybrid_values(hybrid: HybridQrels, heads: Heads, measure: str, depth: int) -> list[HybridValue]:
    """The values of each run, estimated as ``look`` does. Raises InputError."""
    universe = Universe.of_pairs(hybrid.names, depth).with_runs(heads)
    target = Target.of(measure, universe, hybrid.tails.shape[1])
    order, rng = np.argsort([universe.index[pair] for pair in hybrid.names]), np.random.default_rng(0)
    grades, drawn_in = hybrid.grades[order], hybrid.batch[order]
    all_of, *beliefs = (
        _Stored(tails[order], hybrid.spread[order], universe.topic) for tails in (hybrid.tails, *hybrid.rest)
    )
    is_people = grades >= 0
    expected = Expectation(target, grades, is_people, all_of.tails(np.flatnonzero(~is_people), rng), rng)
    drawn = [np.flatnonzero(drawn_in == number + 1) for number in range(len(beliefs))]
    batches = [Batch(drawn[row], chance[order], row) for row, chance in enumerate(hybrid.chances)]
    found = look(beliefs, target, grades, batches, [len(batch.order) for batch in batches], rng)
    nothing = np.full(len(universe.tags), np.nan)
    estimates, errors = (nothing, nothing) if found is None else (found.means, found.errors)
    rows = zip(
        universe.tags, expected.values.mean(axis=0).tolist(), estimates.tolist(), errors.tolist(), strict=True
    )
    return [HybridValue(*row, universe.missing(heads[row[0]])) for row in rows]
