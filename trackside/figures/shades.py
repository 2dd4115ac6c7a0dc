"""The shade, the edge and the label of a grade: the same on every page and in every chart."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

LAST = 4  # step of the highest grade; the style sheet has the classes g0 to g4, and k0 to k4 of lines
NO_GRADE = "–"


class Shade(NamedTuple):
    """How a grade is shown: its step between the shades of the lowest and highest grade; None: no grade."""

    grade: int | None
    step: int | None
    is_nominal: bool = False  # the answer beside the scale

    @property
    def css(self) -> str:
        """The style sheet's class of areas, which gives light shades an edge."""
        return "nm" if self.is_nominal else "ng" if self.step is None else f"g{self.step}"

    @property
    def line(self) -> str:
        """The style sheet's class of lines in charts."""
        return f"k{self.step or 0}"

    @property
    def label(self) -> str:
        """The text beside or on the shade, which never stands alone."""
        return NO_GRADE if self.grade is None else str(self.grade)


NOMINAL_SHADE = Shade(None, None, is_nominal=True)


def shade_of(grade: int | None, scale: Sequence[int]) -> Shade:
    """Return how a grade of the rising scale is shown; one off it looks like the next higher one.

    In scales of two to five grades each has a shade of its own; in longer ones some between the ends share
    theirs.
    """
    if grade is None:
        return Shade(None, None)
    last = max(len(scale) - 1, 1)
    place = min(bisect_left(scale, grade), last)
    if place in (0, last):
        return Shade(grade, LAST if place else 0)
    return Shade(grade, min(max(round(place * LAST / last), 1), LAST - 1))
