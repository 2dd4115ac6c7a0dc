"""Who gets which topic, so that everybody has about the same number of items to judge."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

NOBODY: Mapping[str, int] = {}
NOT_BARRED: Mapping[str, Collection[int]] = {}


def share_topics(
    sizes: Mapping[str, int],
    loads: Mapping[int, int],
    *,
    seed: int,
    bound: Mapping[str, int] = NOBODY,
    barred: Mapping[str, Collection[int]] = NOT_BARRED,
) -> dict[str, int]:
    """Give each topic (name -> items) to an assessor (id -> items already held).

    ``bound`` topics go where they say; of the rest the largest goes first, always to whoever has least by
    then (Graham's longest-first rule, 1969), but never to those whom ``barred`` names. Ties fall by the seed.
    Needs one assessor more than any topic bars.
    """
    dice = random.Random(seed)  # noqa: S311 - a reproducible draw, no secret
    assessors = dice.sample(sorted(loads), len(loads))
    topics = dice.sample(sorted(sizes), len(sizes))
    held = dict(loads)
    shares = {}
    for topic in sorted(topics, key=lambda each: (each not in bound, -sizes[each])):
        able = [each for each in assessors if each not in barred.get(topic, ())]
        shares[topic] = bound.get(topic) or min(able, key=held.__getitem__)
        held[shares[topic]] += sizes[topic]
    return shares


def draw_overlap(topics: Collection[str], percent: int, *, seed: int) -> list[str]:
    """Draw the topics that a second assessor grades too: ``percent`` of them, rounded up."""
    count = -(-percent * len(topics) // 100)
    return sorted(random.Random(seed).sample(sorted(topics), count))  # noqa: S311 - a reproducible draw
