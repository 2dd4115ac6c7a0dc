"""Gold items and repeated items among the others, so that nothing tells them apart."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    Shown = tuple[str, Literal["work", "gold", "repeat"]]

LEAST_GAP = 10  # items between the two showings of one; half of what there is where that is less


def mix_in(
    docnos: Sequence[str],
    gold: Sequence[str],
    *,
    gold_percent: int,
    repeat_percent: int,
    seed: str,
    former: Sequence[str] = (),
) -> list[Shown]:
    """The docnos in their order, with gold docnos and repeats strewn in: so many per cent, rounded up.

    ``former`` are docnos that were shown before, and may be repeated as well. A repeat stands at least
    LEAST_GAP places, or half of all the docnos, behind its first showing. Fewer are mixed in where there are
    not enough. Equal seeds give equal orders.
    """
    dice = random.Random(seed)  # noqa: S311 - a reproducible draw, no secret
    shown: list[Shown] = [(docno, "work") for docno in docnos]
    everything = [*former, *docnos]
    gap = max(min(LEAST_GAP, len(everything) // 2), 1)
    repeatable = range(max(len(everything) - gap, 0))
    wanted = _share(len(docnos), repeat_percent)
    for place in dice.sample(repeatable, min(wanted, len(repeatable))):
        docno = everything[place]
        first = place - len(former) if place < len(former) else shown.index((docno, "work"))
        shown.insert(dice.randint(max(first + gap + 1, 0), len(shown)), (docno, "repeat"))
    wanted = _share(len(docnos), gold_percent)
    for docno in dice.sample(sorted(gold), min(wanted, len(gold))):
        shown.insert(dice.randint(0, len(shown)), (docno, "gold"))
    return shown


def _share(count: int, percent: int) -> int:
    return -(-percent * count // 100)
