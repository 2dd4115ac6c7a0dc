"""Precision at 10 from a judge's grades of all items and people's grades of drawn ones: simulated tracks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from trackside.statistics.saving.post_stratified import post_stratified_totals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scipy.sparse import csr_array

    from trackside.arrays import Flags, Floats, Ints
    from trackside.statistics.saving.prediction_powered import EstimatedMeans

CUT = 10
PAIRS = 10  # pairs of neighbouring runs whose difference is estimated


def neighbours(means: Floats) -> Iterator[tuple[int, int]]:
    """Yield each of the first ``PAIRS`` runs with the next one in the order of the means."""
    order = np.argsort(-means, kind="stable").tolist()
    yield from pairwise(order[: PAIRS + 1])


@dataclass(frozen=True)
class Items:
    """The items that people and the judge graded and that some run has among its first ten.

    ``is_top`` [run, item] flags the items in each run's first ten, ``people`` and ``judge`` relevant ones.
    ``scale`` converts a number of relevant items to precision.
    """

    is_top: Flags
    people: Flags
    judge: Flags
    scale: float

    @property
    def count(self) -> int:
        """Number of items to choose from."""
        return self.people.size

    @cached_property
    def full(self) -> Floats:
        """Precision of each run from all of people's grades."""
        precision: Floats = (self.is_top & self.people).sum(axis=1) * self.scale
        return precision

    def estimates(self, chosen: Flags) -> tuple[EstimatedMeans, EstimatedMeans]:
        """Precisions (runs, choices) from people's grades of the chosen items (choices, items).

        Returns the estimates with the judge's grades of all items, then those without.
        """
        kinds = np.array([self.judge, ~self.judge])
        drawn = self._drawn(chosen)
        counts = _counts([self.is_top & kind for kind in kinds], drawn)
        helped = post_stratified_totals(*counts, shares=_shares(kinds, drawn))
        everything = np.ones((1, self.count), dtype=np.bool_)
        together = [each.sum(axis=0, keepdims=True) for each in counts]
        alone = post_stratified_totals(*together, shares=_shares(everything, drawn))
        return helped.scaled(self.scale), alone.scaled(self.scale)

    def differences(self, pairs: Ints, chosen: Flags) -> EstimatedMeans:
        """Precision of the first run of each pair minus the second's; items that both have cancel out."""
        first, second = self.is_top[pairs.T]
        sides = (first & ~second, first & ~second, second & ~first, second & ~first)
        kinds = np.array([self.judge, ~self.judge] * 2)
        drawn = self._drawn(chosen)
        counts = _counts([side & kind for side, kind in zip(sides, kinds, strict=True)], drawn)
        signs = np.array([1.0, 1.0, -1.0, -1.0])
        found = post_stratified_totals(*counts, shares=_shares(kinds, drawn), signs=signs)
        return found.scaled(self.scale)

    def _drawn(self, chosen: Flags) -> csr_array:
        """The chosen items and the relevant ones of these, sparse: [item, choice], then [item, choice]."""
        from scipy.sparse import csr_array

        return csr_array(np.concatenate([chosen, chosen & self.people]).T, dtype=np.int32)


def _counts(strata: Sequence[Flags], drawn: csr_array) -> tuple[Floats, Floats, Floats]:
    """Counts of all items in strata [stratum, run, item], of the chosen, and of the chosen relevant."""
    sizes = np.array([each.sum(axis=1) for each in strata], dtype=np.float64)[..., None]
    in_common = np.array([_in_common(each, drawn) for each in strata], dtype=np.float64)
    chosen, relevant = np.split(in_common, 2, axis=-1)
    return np.broadcast_to(sizes, chosen.shape), chosen, relevant


def _shares(kinds: Flags, drawn: csr_array) -> Floats:
    """Relevant share of each kind [kind, item] among all chosen items, [kind, 1, choice].

    Adds half a relevant item and one item, for kinds without drawn items.
    """
    chosen, relevant = np.split(_in_common(kinds, drawn).astype(np.float32), 2, axis=-1)
    shares: Floats = ((relevant + 0.5) / (chosen + 1)).astype(np.float64)[:, None]
    return shares


def _in_common(sets: Flags, drawn: csr_array) -> Ints:
    """Count the items that each of the sets [set, item] has in common with each column of ``drawn``.

    A run has few of the items among its first ten: a matrix of all takes 400 MB for a report of 500 runs.
    """
    from scipy.sparse import csr_array

    return cast("csr_array", csr_array(sets, dtype=np.int32) @ drawn).toarray()


RUNS, TOPICS, DOCUMENTS = 8, 25, 60


def good(relevant: Flags, random: np.random.Generator) -> Flags:
    """A judge that is wrong on one item of ten."""
    return relevant ^ (random.random(relevant.shape) < 0.1)


def lenient(relevant: Flags, random: np.random.Generator) -> Flags:
    """A judge that grades half of the items that are not relevant as relevant."""
    return relevant | (random.random(relevant.shape) < 0.5)


def harsh(relevant: Flags, random: np.random.Generator) -> Flags:
    """A judge that finds four of ten relevant items, and grades no other item as relevant."""
    return relevant & (random.random(relevant.shape) < 0.4)


def null(relevant: Flags, random: np.random.Generator) -> Flags:
    """A judge whose grades are independent of people's."""
    return random.random(relevant.shape) < 0.4


def right(relevant: Flags, random: np.random.Generator) -> Flags:
    """People's own grades."""
    return relevant.copy()


JUDGES: dict[str, Callable[[Flags, np.random.Generator], Flags]] = {
    "good": good,
    "lenient": lenient,
    "harsh": harsh,
    "null": null,
    "right": right,
}
SHARES = {"hard": 0.03, "usual": 0.15, "easy": 0.6}
"""Mean share of relevant documents in a topic's pool."""


def track(share: float, judge: str, random: np.random.Generator) -> Items:
    """Runs of rising quality, first ten of sixty documents a topic; topics differ in their relevant items."""
    chance = np.clip(random.beta(1, 1 / share - 1, (TOPICS, 1)), 0.005, 0.95)
    relevant = random.random((TOPICS, DOCUMENTS)) < chance
    is_top = np.zeros((RUNS, TOPICS, DOCUMENTS), dtype=np.bool_)
    for place, own in enumerate(is_top):
        scores = relevant * (2.5 * (place + 1) / RUNS) + random.normal(0, 1, relevant.shape)
        np.put_along_axis(own, np.argsort(-scores, axis=1)[:, :CUT], values=True, axis=1)
    is_kept = is_top.any(axis=0).ravel()
    people = relevant.ravel()[is_kept]
    tops = is_top.reshape(RUNS, -1)[:, is_kept]
    return Items(tops, people, JUDGES[judge](people, random), 1 / (CUT * TOPICS))
