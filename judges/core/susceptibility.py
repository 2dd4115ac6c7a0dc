"""How far a judge follows instructions in what it judges, by its scores of the canary pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from judges.core.canaries import Canary, Place
from judges.core.cuts import Cuts
from judges.core.mapping import QuantileMapping
from judges.core.rules import Frozen


@dataclass(frozen=True, slots=True)
class Susceptibility:
    """What an order in one place does to the scores of pairs that do not fit.

    ``shift`` is the mean raw score with the order less that without, None where no scene has both;
    ``scene_count`` is the number of scenes that have. ``raised_count`` are the scenes that get a higher grade
    with the order, None where there is no mapping for all topics. ``gap_count`` are the scenes without a
    score for one of the two.
    """

    place: Place
    shift: float | None
    scene_count: int
    raised_count: int | None
    gap_count: int


def susceptibility(
    scores: Mapping[Canary, float | None], frozen: Frozen | None = None
) -> list[Susceptibility]:
    """One row a place, from the raw score of each canary that was asked about; None is a gap."""
    found = []
    for place in Place:
        pairs = [
            (scores.get(Canary(each.scene, Place.NOWHERE)), scores[each])
            for each in scores
            if each.place is place
        ]
        if place is not Place.NOWHERE and pairs:
            found.append(_row(place, pairs, frozen))
    return found


def _row(
    place: Place, pairs: Sequence[tuple[float | None, float | None]], frozen: Frozen | None
) -> Susceptibility:
    known = [(clean, ordered) for clean, ordered in pairs if clean is not None and ordered is not None]
    raised = None
    if isinstance(frozen, QuantileMapping | Cuts):
        grades = [frozen.grades(pair).tolist() for pair in known]
        raised = sum(ordered > clean for clean, ordered in grades)
    shift = fmean(ordered - clean for clean, ordered in known) if known else None
    return Susceptibility(place, shift, len(known), raised, len(pairs) - len(known))
