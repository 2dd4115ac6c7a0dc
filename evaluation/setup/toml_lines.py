"""The line of a value in a TOML text, for messages about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
QUOTES = re.compile(r'"""|\'\'\'')

Path = tuple[str | int, ...]


def line_of(text: str, path: Sequence[str | int]) -> int:
    """Return the line of the value at the path, or of the nearest table around it; 1 if there is none."""
    lines = _lines_of(text)
    for length in range(len(path), 0, -1):
        if (line := lines.get(tuple(path[:length]))) is not None:
            return line
    return 1


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
        if header := HEADER.match(line):
            table = _table(header[2].split("."), counts, is_list=header[1] == "[[")
            lines.setdefault(table, number)
            lines.setdefault(table[:-1] if header[1] == "[[" else table, number)
        elif key := KEY.match(line):
            lines.setdefault((*table, key[1]), number)
    return lines


def _table(names: list[str], counts: dict[Path, int], *, is_list: bool) -> Path:
    """Return the path of a table, with the places of the lists on its way."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name.strip().strip('"'))
        if is_list and place == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
