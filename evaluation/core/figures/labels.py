"""Direct labels: names beside the ends of lines, moved apart where they would overlap."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.figures.text_width import text_width

GAP = 15.0  # between the base lines of two labels
APART = 12.0  # from the plot to the labels
MOST_WIDTH = 130.0
_PARTS = re.compile(r"[\s_-]+[^\s_-]*|^[^\s_-]+")


@dataclass(frozen=True, slots=True)
class Label:
    """A name, the point that it belongs to, and the y of its middle."""

    name: str
    text: str
    x: float
    y: float
    at: float


def place_labels(
    ends: Sequence[tuple[str, float, float]], *, low: float, high: float, gap: float = GAP
) -> list[Label]:
    """Place a label for each name and the point of its line's end, from ``low`` to ``high``."""
    ordered = sorted(ends, key=lambda end: end[2])
    texts = short_names([name for name, *_ in ends])
    places = spread([y for *_, y in ordered], low=low, high=high, gap=gap)
    return [Label(name, texts[name], x, y, at) for (name, x, y), at in zip(ordered, places, strict=True)]


def label_room(names: Sequence[str]) -> float:
    """Width to keep free beside the plot for the labels of these names."""
    widest = max((text_width(text) for text in short_names(names).values()), default=0.0)
    return APART + min(MOST_WIDTH, widest) + 1 if names else 0.0


def spread(wanted: Sequence[float], *, low: float, high: float, gap: float) -> list[float]:
    """Move ascending places as little as possible, so that neighbours are ``gap`` apart, within the bounds.

    If there is no room for this gap, all gaps shrink.
    """
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    # Subtract the gaps; the rest must ascend. Replace neighbours that descend by their mean.
    blocks: list[tuple[float, int]] = []
    for place, at in enumerate(wanted):
        blocks.append((at - place * gap, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (one, one_count), (other, other_count) = blocks[-2:]
            count = one_count + other_count
            blocks[-2:] = [((one * one_count + other * other_count) / count, count)]
    most = high - (len(wanted) - 1) * gap
    starts = [min(max(at, low), most) for at, count in blocks for _ in range(count)]
    return [round(start + place * gap, 1) for place, start in enumerate(starts)]


def short_names(names: Sequence[str]) -> dict[str, str]:
    """The shortest prefix of each name, in whole words, that no other name starts with."""
    return {name: _short(name, [other for other in names if other != name]) for name in names}


def _short(name: str, others: Sequence[str]) -> str:
    for part in _PARTS.finditer(name):
        shown = name[: part.end()]
        if not any(other.startswith(shown) for other in others):
            return shown
    return name
