"""Series of a report: people and the judges, each with its class, mark, colour and dash in every figure.

Classes p1, p2 and j1 to j12 name a series; fam and oth are a run of the family in focus and any other run.
They combine with sl (line), si (interval), sf (filled mark) and sh (hollow mark).
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin

from trackside.figures.axes import number

PLACES = 12
RADIUS = 4.6

_STYLES = {
    "p1": ("#1a2027", ""),
    "p2": ("#1a2027", "1 4"),
    "j1": ("#0072b2", ""),
    "j2": ("#00835f", "8 3"),
    "j3": ("#a3487f", "2 3"),
    "j4": ("#8f6b00", "9 3 2 3"),
    "j5": ("#5a55c9", "14 4"),
    "j6": ("#00829b", "4 2"),
    "j7": ("#647a12", "9 3 2 3 2 3"),
    "j8": ("#8a5233", "5 5"),
    "j9": ("#c22f92", "1 2"),
    "j10": ("#54677a", "16 3 4 3"),
    "j11": ("#23408f", "6 2 6 6"),
    "j12": ("#2d5a27", "2 6"),
    "fam": ("#d55e00", ""),
    "oth": ("#4c5661", ""),
}
"""Colour and dashes."""


def _rules() -> str:
    """CSS of a standalone file; the site's style sheet has the same rules and colours for dark mode."""
    parts = [".sl,.si{fill:none;stroke-width:2}.p1.sl{stroke-width:3}.sh{fill:#fff;stroke-width:1.6}"]
    parts.append(".si{stroke-width:2.5}.sf{stroke:#fff;stroke-width:1}")
    for name, (colour, dashes) in _STYLES.items():
        dash = f";stroke-dasharray:{dashes}" if dashes else ""
        parts.append(f".{name}.sl{{stroke:{colour}{dash}}}.{name}.sf{{fill:{colour}}}")
        parts.append(f".{name}.si,.{name}.sh{{stroke:{colour}}}")
    return "".join(parts)


RULES = _rules()


def series_classes(sets: Iterable[tuple[str, str, int | None]]) -> dict[str, str]:
    """CSS class of each set by name: people p1, second assessors p2, judges j and their number."""
    classes, number = {}, 0
    for index, (name, kind, joined) in enumerate(sets):
        if index == 0:
            classes[name] = "p1"
        elif kind in ("human", "second"):
            classes[name] = "p2"
        else:
            number = joined or number + 1
            classes[name] = f"j{(number - 1) % PLACES + 1}"
    return classes


def mark_kind(series: str, *, is_filled: bool = True) -> str:
    """Classes of a series' mark; those of a second assessor and of other runs are always rings."""
    return f"{series} {'sf' if is_filled and series not in ('p2', 'oth') else 'sh'}"


def mark_place(series: str) -> int:
    """Number of a series' mark: the number in a judge's class, 2 for the family in focus, else 1."""
    if series == "fam":
        return 2
    return int(series[1:]) if series.startswith("j") else 1


# Corners of marks around (0, 0), with about the area of the unit disc; y grows downwards.
_SQUARE = ((-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89))
_TRIANGLE = ((0.0, -1.2), (1.26, 0.95), (-1.26, 0.95))
_ARM = ((-0.525, -1.25), (0.525, -1.25), (0.525, -0.525))  # of a plus, the upper one
_PLUS = (*_ARM, *((-y, x) for x, y in _ARM), *((-x, -y) for x, y in _ARM), *((y, -x) for x, y in _ARM))
_TURN = 0.5**0.5
_STAR = tuple(
    (radius * sin(k * pi / 5), -radius * cos(k * pi / 5)) for k, radius in enumerate((1.4, 0.56) * 5)
)
_HOURGLASS = ((-1.1, -1.2), (1.1, -1.2), (0.25, 0.0), (1.1, 1.2), (-1.1, 1.2), (-0.25, 0.0))
_CORNERS: dict[int, Sequence[tuple[float, float]]] = {
    2: _TRIANGLE,
    3: _SQUARE,
    4: ((0.0, -1.26), (1.26, 0.0), (0.0, 1.26), (-1.26, 0.0)),
    5: tuple((x, -y) for x, y in _TRIANGLE),
    6: _PLUS,
    7: tuple(((x - y) * _TURN, (x + y) * _TURN) for x, y in _PLUS),
    8: tuple((y, x) for x, y in _HOURGLASS),
    9: _STAR,
    10: ((-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)),
    11: _HOURGLASS,
    12: tuple((-y, x) for x, y in _TRIANGLE),
}


def series_mark(mark_number: int, x: float, y: float, *, radius: float = RADIUS) -> str:
    """The path of a mark around (x, y), by its number from 1 to 12: disc, triangle, square, diamond, triangle
    down, plus, cross, bow tie, star, bar, hourglass, triangle right.
    """
    if mark_number == 1:
        r, across = number(radius), number(2 * radius)
        return f"M{number(x - radius)} {number(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z"
    corners = [f"{number(x + radius * dx)} {number(y + radius * dy)}" for dx, dy in _CORNERS[mark_number]]
    return f"M{'L'.join(corners)}z"
