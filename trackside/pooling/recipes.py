"""Recipes that draw a pool from runs: to a depth, within a budget, by strata, or by the judgments so far.

A recipe is plain values: with the same runs, seed and judgments it draws the same pool.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from trackside.pooling.adaptive import max_mean, move_to_front
from trackside.pooling.priority import borda_mnz_order, budget_pool, rank_biased_order, reciprocal_rank_order
from trackside.pooling.sampled import SampledItem, Stratum, stratified_pool

Rankings = Mapping[str, Sequence[str]]
"""Run to its docnos of one topic, best first, cut at the run's depth."""

Priority = Literal["rrf", "mnz", "rbp"]
Learning = Literal["mtf", "maxmean"]

ORDERS: dict[Priority, Callable[[Rankings], list[tuple[str, float]]]] = {
    "rrf": reciprocal_rank_order,
    "mnz": borda_mnz_order,
    "rbp": rank_biased_order,
}


@dataclass(frozen=True, slots=True)
class DepthRecipe:
    """All documents down to each run's depth; if topics are named, only theirs."""

    topics: tuple[str, ...] = ()

    def draw(self, rankings: Rankings, *, topic: str, seed: int) -> list[SampledItem]:
        """Every document once, without a stratum (0)."""
        if self.topics and topic not in self.topics:
            return []
        return _certain({docno for docnos in rankings.values() for docno in docnos})

    def to_json(self) -> dict[str, Any]:
        """The recipe as plain values."""
        return {"method": "depth"} | ({"topics": list(self.topics)} if self.topics else {})


@dataclass(frozen=True, slots=True)
class BudgetRecipe:
    """A fixed number of documents of each topic, in an order of priority."""

    order: Priority
    per_topic: int

    def draw(self, rankings: Rankings, *, topic: str, seed: int) -> list[SampledItem]:
        """The documents of the highest priority."""
        return _certain(budget_pool(ORDERS[self.order](rankings), self.per_topic))

    def to_json(self) -> dict[str, Any]:
        """The recipe as plain values."""
        return {"method": self.order, "per_topic": self.per_topic}


@dataclass(frozen=True, slots=True)
class SampleRecipe:
    """A known share of each stratum of ranks, for inferred measures (xinfAP, infNDCG)."""

    strata: tuple[Stratum, ...]

    def draw(self, rankings: Rankings, *, topic: str, seed: int) -> list[SampledItem]:
        """Every document down to the last stratum, drawn or not, with its probability."""
        return stratified_pool(rankings, self.strata, topic=topic, seed=seed)

    def to_json(self) -> dict[str, Any]:
        """The recipe as plain values."""
        return {"method": "strata", "strata": [asdict(stratum) for stratum in self.strata]}


@dataclass(frozen=True, slots=True)
class AdaptiveRecipe:
    """The next batch: a number of new documents of each topic, chosen by the grades of earlier batches.

    ``pooled`` maps each (topic, docno) of earlier batches to whether it is relevant; ungraded ones are not.
    ``log`` names the record of these grades, so that the batch can be drawn again.
    """

    method: Learning
    per_topic: int
    pooled: Mapping[tuple[str, str], bool]
    log: Mapping[str, Any] = field(default_factory=dict)

    def draw(self, rankings: Rankings, *, topic: str, seed: int) -> list[SampledItem]:
        """The next documents; none if the runs have no more."""
        judged = {docno: is_relevant for (of, docno), is_relevant in self.pooled.items() if of == topic}
        if self.method == "maxmean":
            order = max_mean(rankings, judged, limit=self.per_topic, seed=seed)
        else:
            # The seed decides which run starts, not the runs' names.
            runs = random.Random(f"{seed} {topic}").sample(sorted(rankings), len(rankings))  # noqa: S311
            order = move_to_front({run: rankings[run] for run in runs}, judged, limit=self.per_topic)
        return _certain({docno for docno in order if docno not in judged})

    def to_json(self) -> dict[str, Any]:
        """The recipe as plain values."""
        return {"method": self.method, "per_topic": self.per_topic, "log": dict(self.log)}


Recipe = DepthRecipe | BudgetRecipe | SampleRecipe | AdaptiveRecipe


def _certain(docnos: set[str] | Sequence[str]) -> list[SampledItem]:
    return [SampledItem(docno, 0, is_drawn=True, chance=1.0) for docno in sorted(docnos)]
