"""The line of a value in the TOML of a track file, for messages about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")  # every part matches in one pass
KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
MOST_PARTS = 16  # of a dotted key; those of a track file have at most 3
# Possessive quantifiers do not backtrack, so the pattern reads each character a bounded number of times.
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}")
QUOTES = re.compile(r'"""|\'\'\'')

Path = tuple[str | int, ...]


class TomlLines:
    """The line of each table and key of a text."""

    def __init__(self, text: str) -> None:
        self._lines = _lines_of(text)

    def line_of(self, path: Sequence[str | int]) -> int:
        """Return the line of the value at the path, or of the nearest table around it; 1 if there is none."""
        for length in range(len(path), 0, -1):
            if (line := self._lines.get(tuple(path[:length]))) is not None:
                return line
        return 1


def has_long_key(text: str) -> bool:
    """Return whether a key may have more than MOST_PARTS parts: ``tomllib`` takes quadratic time for it."""
    return LONG_KEY.search(text) is not None


def _lines_of(text: str) -> dict[Path, int]:
    """Return the line of each table and key. Keys of inline tables are not in it."""
    lines: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    is_in_string = False
    for number, line in enumerate(text.splitlines(), start=1):
        was_in_string = is_in_string
        is_in_string ^= len(QUOTES.findall(line)) % 2 == 1
        if was_in_string:
            continue
        header = HEADER.match(line)
        if header and header[2].count(".") < MOST_PARTS:
            table = _table(header[2].split("."), counts, is_list=header[1] == "[[")
            lines.setdefault(table, number)
            lines.setdefault(table[:-1] if header[1] == "[[" else table, number)
        elif key := KEY.match(line):
            lines.setdefault((*table, key[1]), number)
    return lines


def _table(names: list[str], counts: dict[Path, int], *, is_list: bool) -> Path:
    """Return the path of a table; where a list contains it, with the place in that list."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name.strip().strip('"'))
        if is_list and place == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
