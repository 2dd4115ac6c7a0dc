"""How many items got each mark, and where each count lies on a bar."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BAR = 100.0  # width of the whole bar, in the units of its viewBox
LAST_TONE = 2
GAP = 0.4  # between two parts, so that neighbours differ by more than colour


@dataclass(frozen=True)
class Part:
    """One part of a bar: a grade, or all that could not be judged (``grade`` is null).

    ``tone`` is the grade's step on the ramp of three colours; longer scales stay on the last.
    """

    grade: int | None
    tone: int | None
    count: int
    start: float
    width: float


def make_distribution(marks: Iterable[int | str], scale: Sequence[int]) -> list[Part]:
    """Count the marks (a grade, or a reason for giving none) by grade of the scale, those without one last.

    Widths are shares of ``BAR``; without marks every part is empty.
    """
    counts = Counter(mark if isinstance(mark, int) else None for mark in marks)
    total = counts.total() or 1
    parts, start = [], 0.0
    for step, grade in enumerate((*scale, None)):
        width = BAR * counts[grade] / total
        tone = None if grade is None else min(step, LAST_TONE)
        parts.append(Part(grade, tone, counts[grade], round(start, 2), round(max(width - GAP, 0.0), 2)))
        start += width
    return parts
