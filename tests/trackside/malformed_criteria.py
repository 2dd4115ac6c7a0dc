"""Grades of a scale that the site must reject."""

from typing import Any

JUNK = [
    {"grade": 0, "name": "Junk", "text": "", "written": -2},
    {"grade": 1, "name": "No", "text": "", "written": 0},
    {"grade": 2, "name": "Yes", "text": "", "written": 1},
]
GOOD = [{"grade": 0, "name": "No", "text": ""}, {"grade": 3, "name": "Yes", "text": "It fits.\nWhole."}]


def other(place: int, **changes: Any) -> list[dict[str, Any]]:
    """The good scale with one entry changed."""
    return [{**each, **changes} if number == place else each for number, each in enumerate(GOOD)]


MALFORMED = {
    "pairs": [["good", 1]],
    "no list": {"grade": 0, "name": "No", "text": ""},
    "null": None,
    "a word": "good",
    "empty": [],
    "one grade": GOOD[:1],
    "too many": [{"grade": number, "name": f"Grade {number}", "text": ""} for number in range(21)],
    "a key is missing": [GOOD[0], {"grade": 1, "name": "Yes"}],
    "a key too many": other(1, colour="red"),
    "a grade in words": other(1, grade="3"),
    "half a grade": other(1, grade=2.5),
    "a grade of 3.0": other(1, grade=3.0),
    "true": other(1, grade=True),
    "below 0": other(0, grade=-1),
    "above 100": other(1, grade=101),
    "falling": GOOD[::-1],
    "twice": other(1, grade=0),
    "a name twice": other(1, name="No"),
    "no name": other(1, name="  "),
    "a number as name": other(1, name=7),
    "a long name": other(1, name="n" * 61),
    "no text": other(1, text=None),
    "a long text": other(1, text="t" * 2001),
    "a number in words": other(0, written="-2"),
    "half a number": other(0, written=-0.5),
    "no number": other(0, written=None),
    "a number below -100": other(0, written=-101),
    "a number above 100": other(1, written=101),
    "numbers that fall": other(0, written=4),
    "a number twice": other(0, written=3),
}

# PostgreSQL cannot store these at all.
UNSTORABLE = {
    "a NUL": other(1, text="a\0b"),
    "half a pair": other(1, text="\ud800"),
    "a NUL in a name": other(1, name="a\0"),
}
