"""Count marks, and lay the counts out on a bar."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

BAR = 100.0  # width of the bar, in units of its viewBox
LAST_TONE = 2
GAP = 0.4  # between two parts, so that colour is not their only difference


@dataclass(frozen=True)
class GradeSegment:
    """One part of a bar: a grade, or all items that could not be judged (``grade`` is null).

    ``tone`` is the index of the grade's colour, of three; higher grades of longer scales get the last one.
    """

    grade: int | None
    tone: int | None
    count: int
    start: float
    width: float


def find_tone(grade: int, scale: Sequence[int]) -> int:
    """Return the index of the grade's colour: 0 to LAST_TONE."""
    return min(scale.index(grade), LAST_TONE)


def make_distribution(marks: Iterable[int | str], scale: Sequence[int]) -> list[GradeSegment]:
    """Count the marks (a grade, or a reason for giving none) by grade of the scale, reasons last."""
    return lay_out_counts(Counter(mark if isinstance(mark, int) else None for mark in marks), scale)


def lay_out_counts(counts: Mapping[int | None, int], scale: Sequence[int]) -> list[GradeSegment]:
    """Lay out the counts of grades; null counts the items that could not be judged and comes last.

    Widths are shares of ``BAR``; without counts every part is empty.
    """
    total = sum(counts.values()) or 1
    parts, start = [], 0.0
    for grade in (*scale, None):
        count = counts.get(grade, 0)
        width = BAR * count / total
        tone = None if grade is None else find_tone(grade, scale)
        parts.append(GradeSegment(grade, tone, count, round(start, 2), round(max(width - GAP, 0.0), 2)))
        start += width
    return parts
