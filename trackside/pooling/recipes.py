"""Recipes that draw a pool from runs: to a depth, within a budget, by strata, or by the judgments so far.

A recipe is plain values: with the same runs, seed and judgments it draws the same pool.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from trackside.errors import InputError

Rankings = Mapping[str, Sequence[str]]
"""Run to its docnos of one topic, best first, cut at the run's depth."""

Priority = Literal["rrf", "mnz", "rbp"]
Learning = Literal["mtf", "maxmean"]

RRF_K = 60
"""Constant of Cormack, Clarke and Buettcher, SIGIR 2009."""


def reciprocal_rank_order(rankings: Rankings, *, k: int = RRF_K) -> list[tuple[str, float]]:
    """Documents and priorities, highest first: the sum over runs of 1 / (k + rank), ranks from 1."""
    return _ordered(rankings, lambda index: 1 / (k + index + 1))


def rank_biased_order(rankings: Rankings, *, p: float = 0.8) -> list[tuple[str, float]]:
    """Documents and priorities: the sum over runs of (1 - p) p^(rank - 1), the weights of RBP.

    The first documents judged are those that change RBP most (Moffat, Webber and Zobel, SIGIR 2007).
    """
    return _ordered(rankings, lambda index: (1 - p) * p**index)


def borda_mnz_order(rankings: Rankings) -> list[tuple[str, float]]:
    """Documents and priorities: CombMNZ of scores by rank, 1 for the first of a run and 0 for the last."""
    sums: Counter[str] = Counter()
    for docnos in rankings.values():
        last = max(len(docnos) - 1, 1)
        sums.update({docno: 1 - index / last for index, docno in enumerate(docnos)})
    counts = Counter(docno for docnos in rankings.values() for docno in docnos)
    return _sorted({docno: total * counts[docno] for docno, total in sums.items()})


def budget_pool(order: Sequence[tuple[str, float]], budget: int) -> tuple[str, ...]:
    """The first `budget` documents of an order, in byte order so that the pool does not reveal it."""
    return tuple(sorted(docno for docno, _ in order[:budget]))


def _ordered(rankings: Rankings, weight: Callable[[int], float]) -> list[tuple[str, float]]:
    priorities: dict[str, float] = {}
    for run in sorted(rankings):
        for index, docno in enumerate(rankings[run]):
            priorities[docno] = priorities.get(docno, 0.0) + weight(index)
    return _sorted(priorities)


def _sorted(priorities: Mapping[str, float]) -> list[tuple[str, float]]:
    """Descending priority; sums that differ only by rounding are equal."""
    return sorted(priorities.items(), key=lambda item: (-round(item[1], 12), item[0]))


@dataclass(frozen=True, slots=True)
class Stratum:
    """Documents whose best rank in any run is at most `depth`, below the stratum before, and their rate."""

    depth: int
    rate: float


@dataclass(frozen=True, slots=True)
class SampledItem:
    """A document of a sampled pool: its stratum from 1, whether it was drawn, and the probability of that."""

    docno: str
    stratum: int
    is_drawn: bool
    chance: float


def stratified_pool(
    rankings: Mapping[str, Sequence[str]], strata: Sequence[Stratum], *, topic: str, seed: int
) -> list[SampledItem]:
    """Draw each stratum's rate of a topic's documents, rounded up, without replacement.

    The probability is the drawn share of the stratum. Documents below the last depth are absent. The draw
    depends only on seed, topic and documents. Raises strata-do-not-rise.
    """
    check_strata(strata)
    best: dict[str, int] = {}
    for docnos in rankings.values():
        for rank, docno in enumerate(docnos[: strata[-1].depth], start=1):
            best[docno] = min(rank, best.get(docno, rank))
    items: list[SampledItem] = []
    above = 0
    for number, stratum in enumerate(strata, start=1):
        members = sorted(docno for docno, rank in best.items() if above < rank <= stratum.depth)
        rng = np.random.default_rng([seed, number, *topic.encode()])
        items += _draw(members, number, stratum.rate, rng)
        above = stratum.depth
    return items


def _draw(members: Sequence[str], number: int, rate: float, rng: np.random.Generator) -> list[SampledItem]:
    count = int(np.ceil(rate * len(members) - 1e-9))
    drawn = set(rng.permutation(len(members))[:count].tolist())
    chance = count / len(members) if members else 0.0
    return [SampledItem(docno, number, index in drawn, chance) for index, docno in enumerate(members)]


def check_strata(strata: Sequence[Stratum]) -> None:
    """Raise strata-do-not-rise unless depths rise and each rate is above 0 and at most 1."""
    depths = [0, *(stratum.depth for stratum in strata)]
    is_rising = all(upper < lower for upper, lower in pairwise(depths))
    if not (strata and is_rising and all(0 < stratum.rate <= 1 for stratum in strata)):
        raise InputError(
            "give strata from the top down, each deeper than the last, with a rate above 0 and at most 1",
            code="strata-do-not-rise",
        )


def move_to_front(rankings: Rankings, judged: Mapping[str, bool], *, limit: int) -> list[str]:
    """Documents of a topic in move-to-front order, up to the first `limit` that are not judged.

    The front run offers its next document; if the document is relevant the run stays in front, else it moves
    to the back (Cormack, Palmer and Clarke, SIGIR 1998). `judged` maps each judged document to whether it is
    relevant; unjudged documents count as not relevant. Runs start in the order given.
    """
    queue = [run for run in rankings if rankings[run]]
    positions = dict.fromkeys(queue, 0)
    order: list[str] = []
    seen: set[str] = set()
    unjudged = 0
    while queue and unjudged < limit:
        run = queue.pop(0)
        docno = _next(rankings[run], positions, run, seen)
        if docno is None:
            continue
        order.append(docno)
        seen.add(docno)
        unjudged += docno not in judged
        queue.insert(0 if judged.get(docno, False) else len(queue), run)
    return order


def max_mean(rankings: Rankings, judged: Mapping[str, bool], *, limit: int, seed: int) -> list[str]:
    """Documents of a topic in the order of the MaxMean bandit, up to the first `limit` that are not judged.

    Each run is an arm. The arm with the highest share of relevant among the documents it has offered, plus
    one pseudo-relevant and one pseudo-nonrelevant document, offers its next document (Losada, Parapar and
    Barreiro 2016). A document without a judgment counts as not relevant. The seed breaks ties between arms.
    """
    rng = np.random.default_rng(seed)
    positions = {run: 0 for run in sorted(rankings) if rankings[run]}
    hits, pulls = dict.fromkeys(positions, 1), dict.fromkeys(positions, 2)
    order: list[str] = []
    seen: set[str] = set()
    unjudged = 0
    while positions and unjudged < limit:
        best = max(hits[run] / pulls[run] for run in positions)
        leaders = [run for run in positions if hits[run] / pulls[run] == best]
        run = leaders[int(rng.integers(len(leaders)))]
        docno = _next(rankings[run], positions, run, seen)
        if docno is None:
            del positions[run]
            continue
        order.append(docno)
        seen.add(docno)
        unjudged += docno not in judged
        hits[run] += judged.get(docno, False)
        pulls[run] += 1
    return order


def _next(docnos: Sequence[str], positions: dict[str, int], run: str, seen: set[str]) -> str | None:
    """Advance the run to its next unseen document and return it; None if it has no more."""
    while positions[run] < len(docnos):
        docno = docnos[positions[run]]
        positions[run] += 1
        if docno not in seen:
            return docno
    return None


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
