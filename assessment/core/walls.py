"""Divide the items of a topic into walls, and choose the walls that are also judged one by one."""

import random
from collections.abc import Sequence

WALL_SIZE = 24  # items: six by four
CONTROL_EVERY = 10  # walls
CONTROL_GAP = 100
"""Judgments of the assessor between an item on a wall and the same item shown again."""


def lay_walls(places: Sequence[int]) -> list[list[int]]:
    """Return the places of each wall, in order; the last wall may be smaller."""
    return [list(places[start : start + WALL_SIZE]) for start in range(0, len(places), WALL_SIZE)]


def is_control(number: int, *, seed: str) -> bool:
    """Return whether the wall, numbered from 1, is one of those judged again, one by one: every tenth.

    The seed decides which one of the first ten is the first, so a topic of few walls has one by chance.
    """
    offset = random.Random(seed).randrange(CONTROL_EVERY)  # noqa: S311 - a reproducible draw, no secret
    return number % CONTROL_EVERY == offset
