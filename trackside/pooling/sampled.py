"""Stratified pools for infAP and infNDCG: all documents near the top and a known share of those below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from trackside.errors import InputError


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
