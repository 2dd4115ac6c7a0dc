"""Count marks, and lay the counts out on a bar."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trackside.figures.shades import Shade, shade_of

BAR = 100.0  # width of the bar, in units of its viewBox
GAP = 0.4  # between two parts, so that colour is not their only difference


@dataclass(frozen=True)
class GradeSegment:
    """One part of a bar: a grade, or all items that could not be judged (``grade`` is null)."""

    grade: int | None
    shade: Shade
    count: int
    start: float
    width: float


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
        shade = shade_of(grade, scale)
        parts.append(GradeSegment(grade, shade, count, round(start, 2), round(max(width - GAP, 0.0), 2)))
        start += width
    return parts
