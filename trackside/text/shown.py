"""How results appear in a console and in a notebook: a line, and a small table."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, NamedTuple

SHOWN_ROWS = 10
_LONGEST = 60  # characters of a name in a line


class Outline(NamedTuple):
    """A line that says what an object holds, and a table of its parts."""

    line: str
    columns: Sequence[str]
    rows: Iterable[Sequence[object]]


class Shown:
    """An object with a ``repr`` of one line and an HTML table. Dataclasses show their fields by default."""

    __slots__ = ()

    def _shown(self) -> Outline:
        """Return what to show; texts are not yet escaped."""
        values: Any = self
        rows = [(field.name, short(getattr(self, field.name))) for field in fields(values)]
        return Outline(", ".join(f"{name}={text}" for name, text in rows[:4]), ("field", "value"), rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {' '.join(self._shown().line.split())}>"

    def _repr_html_(self) -> str:
        from html import escape  # its table of entities takes milliseconds of each command

        line, columns, rows = self._shown()
        first_rows = [*islice(rows, SHOWN_ROWS + 1)]
        lines = [*first_rows[:SHOWN_ROWS], *(["…"] * len(columns) for _ in first_rows[SHOWN_ROWS:])]
        head = "".join(f"<th>{escape(column)}</th>" for column in columns)
        cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in lines)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        caption = escape(f"{type(self).__name__} {line}")
        return f"<table><caption>{caption}</caption><tr>{head}</tr>{body}</table>"


def short(value: object) -> str:
    """Return a value as a text that a line or a cell can hold."""
    if value is None:
        return "–"
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def visible_line(line: str) -> str:
    """Escape invisible characters and terminal controls."""
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in line
    )
