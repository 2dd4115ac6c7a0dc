"""Simulated tracks for grading item by item: relevant items, retrieved items, and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.sections.saving.items import CUT, Items

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.core.arrays import Flags

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
