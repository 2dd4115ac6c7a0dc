"""Mix gold items and repeated items into the others, so that they look alike."""

import random
from collections.abc import Sequence
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
