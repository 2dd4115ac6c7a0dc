"""Count marks, and lay the counts out on a bar."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trackside.criteria import NOMINAL
from trackside.figures.shades import NOMINAL_SHADE, Shade, shade_of

BAR = 100.0  # width of the bar, in units of its viewBox
GAP = 0.4  # between two parts, so that colour is not their only difference


@dataclass(frozen=True)
class GradeSegment:
    """One part of a bar: a grade, or all items without one (``grade`` is null) with the same ``name``."""

    grade: int | None
    shade: Shade
    count: int
    start: float
    width: float
    name: str = ""  # of the answer beside the grades; empty for all other items without a grade


def make_distribution(
    marks: Iterable[int | str], scale: Sequence[int], nominal_name: str = ""
) -> list[GradeSegment]:
    """Count the marks by grade of the scale, then the answers beside it if they have a name, then reasons."""
    counts = Counter(
        mark if isinstance(mark, int) else NOMINAL if nominal_name and mark.startswith(NOMINAL) else None
        for mark in marks
    )
    return lay_out_counts(counts, scale, nominal_name)


def lay_out_counts(
    counts: Mapping[Any, int], scale: Sequence[int], nominal_name: str = ""
) -> list[GradeSegment]:
    """Lay out the counts of grades; null counts the items without a grade and comes last.

    With a name, the count of NOMINAL comes before it. Widths are shares of ``BAR``; without counts every part
    is empty.
    """
    total = sum(counts.values()) or 1
    parts, start = [], 0.0
    for key in (*scale, *([NOMINAL] if nominal_name else []), None):
        count = counts.get(key, 0)
        width = BAR * count / total
        grade = key if isinstance(key, int) else None
        shade = NOMINAL_SHADE if key == NOMINAL else shade_of(grade, scale)
        place = (round(start, 2), round(max(width - GAP, 0.0), 2))
        parts.append(GradeSegment(grade, shade, count, *place, nominal_name if key == NOMINAL else ""))
        start += width
    return parts
