"""Recipes without chances: a fixed or adaptive order of pairs, of which the first so many are graded."""

from __future__ import annotations

import numpy as np

from trackside.arrays import Ints
from trackside.pooling.recipes import ORDERS, max_mean, move_to_front
from trackside.pooling.universe import Universe

DRAWN = ("influence", "uniform")
ORDERED = ("depth", "mtf", "maxmean", *ORDERS)
RECIPES = (*DRAWN, *ORDERED)


def pair_order(universe: Universe, recipe: str, grades: Ints, seed: int) -> Ints:
    """All pairs in the order of the recipe, an equal number of each topic at a time; depth goes rank by rank
    through all topics. Move-to-front and MaxMean learn from ``grades`` (negative: none).
    """
    if recipe == "depth":
        ranks = np.where(universe.ranks > 0, universe.ranks, np.inf).min(axis=1)
        ties = np.random.default_rng(seed).random(universe.pair_count)
        return np.lexsort((ties, ranks))
    names = [str(number) for number in range(universe.pair_count)]
    judged = {names[pair]: bool(grades[pair] > 0) for pair in np.flatnonzero(grades >= 0).tolist()}
    places = np.full(universe.pair_count, universe.pair_count)
    for topic in range(len(universe.topics)):
        rankings = {
            tag: [names[pair] for pair in row if pair < universe.pair_count]
            for tag, row in zip(universe.tags, universe.places[:, topic].tolist(), strict=True)
        }
        order = _ordered(rankings, recipe, judged, seed, universe.pair_count)
        places[[int(name) for name in order]] = np.arange(len(order))
    return np.lexsort((universe.topic, places))


def _ordered(
    rankings: dict[str, list[str]], recipe: str, judged: dict[str, bool], seed: int, most: int
) -> list[str]:
    if recipe == "mtf":
        return move_to_front(rankings, judged, limit=most)
    if recipe == "maxmean":
        return max_mean(rankings, judged, limit=most, seed=seed)
    return [docno for docno, _ in next(order for name, order in ORDERS.items() if name == recipe)(rankings)]
