"""Assign topics so that all assessors have about the same number of items."""

import random
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
    """Assign each topic (name -> items) to an assessor (id -> items already assigned).

    ``bound`` maps topics to fixed assessors. The other topics, largest first, go to the assessor with the
    fewest items so far (Graham's longest-first rule, 1969) who is not among the topic's ``barred`` assessors.
    The seed breaks ties. Each topic needs at least one assessor who is not barred.
    """
    rng = random.Random(seed)  # noqa: S311 - a reproducible draw, no secret
    assessors = rng.sample(sorted(loads), len(loads))
    topics = rng.sample(sorted(sizes), len(sizes))
    totals = dict(loads)
    shares = {}
    for topic in sorted(topics, key=lambda name: (name not in bound, -sizes[name])):
        candidates = [assessor for assessor in assessors if assessor not in barred.get(topic, ())]
        shares[topic] = bound.get(topic) or min(candidates, key=totals.__getitem__)
        totals[shares[topic]] += sizes[topic]
    return shares


def draw_overlap(topics: Collection[str], percent: int, *, seed: int) -> list[str]:
    """Draw the topics that get more than one assessor: ``percent`` of all, rounded up."""
    count = -(-percent * len(topics) // 100)
    return sorted(random.Random(seed).sample(sorted(topics), count))  # noqa: S311 - a reproducible draw
