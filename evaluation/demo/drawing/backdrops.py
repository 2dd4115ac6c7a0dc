"""Draws the backdrops of the eight settings."""

import random
from collections.abc import Callable
from typing import TypeAlias

from evaluation.demo.drawing.easel import BLACK, WHITE, Easel, mixed
from evaluation.demo.scenes import SETTINGS
from evaluation.demo.things.shapes import oval

Backdrop: TypeAlias = Callable[[Easel, random.Random, float], None]

MOONLIGHT = (250, 245, 215)
STARLIGHT = (250, 250, 210)


def paint_backdrop(easel: Easel, setting: str, rng: random.Random) -> None:
    """Paint the setting's sky, ground and scenery."""
    horizon = easel.height * rng.uniform(0.5, 0.66)
    sky, ground = SETTINGS[setting].sky, SETTINGS[setting].ground
    far = BLACK if setting == "night" else WHITE
    for top in range(0, int(horizon), 3):
        easel.band(top, top + 3, mixed(sky, far, 0.35 * top / horizon))
    easel.band(horizon, easel.height, ground)
    BACKDROPS[setting](easel, rng, horizon)


def _desert(easel: Easel, rng: random.Random, horizon: float) -> None:
    width, height = easel.width, easel.height
    sand = mixed(SETTINGS["desert"].ground, (255, 235, 170), 0.4)
    for _ in range(3):
        x = rng.uniform(-0.2, 0.9) * width
        crest = (x + width * 0.25, horizon - height * 0.1)
        easel.area([(x, horizon + 4), crest, (x + width * 0.5, horizon + 4)], sand)
    _disc(easel, width * 0.8, height * 0.15, 9, (255, 240, 150))


def _sea(easel: Easel, rng: random.Random, horizon: float) -> None:
    for row in range(7):
        y = horizon + (easel.height - horizon) * (row + 0.5) / 7
        start = rng.uniform(0, easel.width * 0.4)
        for wave in range(3):
            x = start + wave * easel.width * 0.3
            easel.line([(x, y), (x + 8, y - 3), (x + 16, y)], (200, 225, 245))


def _forest(easel: Easel, rng: random.Random, horizon: float) -> None:
    for _ in range(8):
        x, foot = rng.uniform(0, easel.width), horizon + 8
        tall = rng.uniform(0.25, 0.5) * easel.height
        leaves = mixed((25, 75, 40), (70, 120, 60), rng.random())
        easel.area([(x - 9, foot), (x, foot - tall), (x + 9, foot)], leaves)


def _snow(easel: Easel, rng: random.Random, horizon: float) -> None:
    width = easel.width
    ridge = [(0.0, 3.0), (0.3, -6.0), (0.7, 2.0), (1.0, -4.0), (1.0, 10.0), (0.0, 10.0)]
    easel.area([(share * width, horizon + rise) for share, rise in ridge], (235, 240, 248))
    for _ in range(28):
        easel.dot((rng.uniform(0, width), rng.uniform(0, easel.height)), 3.5, WHITE)


def _night(easel: Easel, rng: random.Random, horizon: float) -> None:
    for _ in range(22):
        x, y = rng.uniform(0, easel.width), rng.uniform(0, horizon)
        easel.line([(x - 1, y), (x + 1, y)], STARLIGHT)
        easel.line([(x, y - 1), (x, y + 1)], STARLIGHT)
    _disc(easel, rng.uniform(0.1, 0.9) * easel.width, easel.height * 0.15, 8, MOONLIGHT)
    if easel.pencil is not None:
        for y in range(4, int(horizon), 7):
            easel.line([(0, y), (easel.width, y)], BLACK)


def _city(easel: Easel, rng: random.Random, horizon: float) -> None:
    left = 0.0
    while left < easel.width:
        width, tall = rng.uniform(12, 24), rng.uniform(0.2, 0.48) * easel.height
        grey = rng.randint(80, 150)
        right, roof = left + width - 2, horizon - tall
        walls = [(left, horizon + 2), (left, roof), (right, roof), (right, horizon + 2)]
        easel.area(walls, (grey, grey, grey + 8))
        for floor in range(int(roof) + 4, int(horizon) - 3, 8):
            easel.line([(left + 4, floor), (right - 5, floor)], (235, 225, 150))
        left += width


def _meadow(easel: Easel, rng: random.Random, horizon: float) -> None:
    for tuft in range(26):
        x, y = rng.uniform(0, easel.width), rng.uniform(horizon, easel.height)
        easel.line([(x, y), (x + 2, y - 6)], (70, 140, 50))
        if tuft % 4 == 0:
            easel.dot((x + 1.5, y - 6.5), 3, (250, 240, 120))


def _mountains(easel: Easel, rng: random.Random, horizon: float) -> None:
    half = easel.width * 0.2
    for _ in range(4):
        x, tall = rng.uniform(-0.1, 0.9) * easel.width, rng.uniform(0.25, 0.48) * easel.height
        peak = (x, horizon - tall)
        rock = mixed((105, 110, 125), (150, 150, 160), rng.random())
        easel.area([(x - half, horizon + 3), peak, (x + half, horizon + 3)], rock)
        snowline = horizon - tall * 0.7
        easel.area([(x - half * 0.3, snowline), peak, (x + half * 0.3, snowline)], (245, 245, 250))


def _disc(easel: Easel, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
    easel.area(oval("light", x - radius, y - radius, x + radius, y + radius).points, colour)


BACKDROPS: dict[str, Backdrop] = {
    "desert": _desert,
    "sea": _sea,
    "forest": _forest,
    "snow": _snow,
    "night": _night,
    "city": _city,
    "meadow": _meadow,
    "mountains": _mountains,
}
