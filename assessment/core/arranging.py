"""Arrange items for assessors: share topics out, mix in gold and repeated items, and lay walls."""

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

MixedItem = tuple[str, Literal["work", "gold", "repeat"]]

LEAST_GAP = 10  # items between an item and its repeat; half of all items if that is less


def mix_in(
    docnos: Sequence[str],
    gold: Sequence[str],
    *,
    gold_percent: int,
    repeat_percent: int,
    seed: str,
    former: Sequence[str] = (),
) -> list[MixedItem]:
    """Return the docnos in order, with random gold docnos and repeats inserted: percentages, rounded up.

    ``former`` are docnos that were shown before and may also be repeated. A repeat comes at least LEAST_GAP
    places after the item, or half of all docnos if that is less. If there are too few candidates, all of them
    are inserted. Equal seeds give equal orders.
    """
    rng = random.Random(seed)  # noqa: S311 - a reproducible draw, no secret
    items: list[MixedItem] = [(docno, "work") for docno in docnos]
    all_docnos = [*former, *docnos]
    gap = max(min(LEAST_GAP, len(all_docnos) // 2), 1)
    repeatable = range(max(len(all_docnos) - gap, 0))
    count = _share(len(docnos), repeat_percent)
    for index in rng.sample(repeatable, min(count, len(repeatable))):
        docno = all_docnos[index]
        position = index - len(former) if index < len(former) else items.index((docno, "work"))
        items.insert(rng.randint(max(position + gap + 1, 0), len(items)), (docno, "repeat"))
    count = _share(len(docnos), gold_percent)
    for docno in rng.sample(sorted(gold), min(count, len(gold))):
        items.insert(rng.randint(0, len(items)), (docno, "gold"))
    return items


def _share(count: int, percent: int) -> int:
    return -(-percent * count // 100)


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


WALL_SIZE = 24  # items: six by four
SINGLE_EVERY = 10  # items of walls: one of them is judged singly, first and only
LEAST_EVERY = 5  # where the assessor gives most of the highest grades


def lay_walls(places: Sequence[int]) -> list[list[int]]:
    """Return the places of each wall, in order; the last wall may be smaller."""
    return [list(places[start : start + WALL_SIZE]) for start in range(0, len(places), WALL_SIZE)]


def is_single(place: int, *, every: int, seed: str) -> bool:
    """Return whether the item at this place, from 1, is the one of its ``every`` neighbours judged singly."""
    block, step = divmod(place - 1, every)
    return random.Random(f"{seed} {block}").randrange(every) == step  # noqa: S311 - a reproducible draw, no secret


def single_every(top: int, graded: int, *, share: float) -> int:
    """Return of how many items of a topic one is judged singly: SINGLE_EVERY, or fewer down to LEAST_EVERY.

    ``top`` of ``graded`` items on the assessor's earlier walls of the topic have the highest grade, and
    ``share`` of all on walls. A wall with that share is added, so that few items say little.
    """
    if not share:
        return SINGLE_EVERY
    ratio = (top + share * WALL_SIZE) / (share * (graded + WALL_SIZE))
    return min(max(round(SINGLE_EVERY / ratio), LEAST_EVERY), SINGLE_EVERY)
