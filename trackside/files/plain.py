"""Splits plain lines by whole-array operations: ASCII, one separator between columns, nothing odd.

Most files have plain lines only. ``columns`` reads all others, with the same result in more time.
"""

import re
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trackside.files.numbers import read_decimals
from trackside.files.text_columns import TextColumn, records_at

WIDEST_FIELD = 256  # bytes of a text
_DECIMAL = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(rb"[+-]?\d{1,18}")
_FEW = 64  # Python parses the odd numbers of a column if they are at most 1 row in 64, and 64 more


class PlainBlock:
    """The fields of plain lines: ``ends`` [line, column] is where each ends, one byte before the next."""

    def __init__(self, raw: bytes, ends: NDArray[np.int64]) -> None:
        self.raw, self._ends = raw, ends
        self.line_count = len(ends)

    @classmethod
    def of(cls, raw: bytes, column_count: int) -> Self | None:
        """The lines of ``raw``, of which the last may lack its line end.

        None unless each line has exactly these columns, separated by all blanks or all tabs, in ASCII. Also
        None for a line that starts with #, which may be a comment.
        """
        if not raw.endswith(b"\n"):
            raw += b"\n"
        codes = np.frombuffer(raw, np.uint8)
        # Signed, bytes outside ASCII are negative: they count as separators here, and are none below.
        ends = np.flatnonzero(codes.view(np.int8) <= ord(" "))
        if len(ends) % column_count or ends[0] == 0 or (ends[1:] - ends[:-1]).min() == 1:
            return None
        count = len(ends) // column_count
        separator = raw[ends[0]]
        if separator not in b" \t":
            return None
        line = bytes([separator] * (column_count - 1)) + b"\n"
        if codes[ends].tobytes() != line * count:
            return None
        block = cls(raw, ends.reshape(-1, column_count))
        return None if (codes[block._starts(0)] == ord("#")).any() else block

    def texts(self, column: int) -> TextColumn | None:
        """A column; None if a field is too wide to be read so."""
        starts = self._starts(column)
        widths = self._ends[:, column] - starts
        return TextColumn(self.raw, starts, widths) if widths.max() <= WIDEST_FIELD else None

    def _starts(self, column: int) -> NDArray[np.int64]:
        if column:
            return self._ends[:, column - 1] + 1
        return np.concatenate(([0], self._ends[:-1, -1] + 1))

    def field(self, row: int, column: int) -> str:
        """One field; row -1 is the last line."""
        return self._field(row, column).decode()

    def lines_without(self, text: str) -> NDArray[np.int64]:
        """The lines, from 0, whose last field is another text."""
        starts = self._starts(self._ends.shape[1] - 1)
        end = text.encode() + b"\n"
        rows = np.flatnonzero(self._ends[:, -1] + 1 - starts == len(end))
        is_other = np.ones(self.line_count, np.bool_)
        tails = records_at(self.raw, starts[rows], len(end)).reshape(len(rows), len(end))
        is_other[rows] = tails.tobytes() != end * len(rows) and (tails != np.frombuffer(end, np.uint8)).any(1)
        return np.flatnonzero(is_other)

    def scores(self, column: int) -> NDArray[np.float64] | None:
        """A column of finite decimals as doubles; None if a field is something else."""
        numbers = read_decimals(self.raw, self._starts(column), self._ends[:, column].copy())
        scores = numbers.doubles()
        odd = np.flatnonzero(numbers.is_odd)
        if len(odd) * _FEW > len(scores) + _FEW**2:
            return None
        for row in odd.tolist():
            text = self._field(row, column)
            if not _DECIMAL.fullmatch(text):
                return None
            scores[row] = float(text)
        return scores if np.isfinite(scores).all() else None

    def grades(self, column: int) -> NDArray[np.int64] | None:
        """A column of whole numbers; None if a field is something else."""
        numbers = read_decimals(self.raw, self._starts(column), self._ends[:, column].copy())
        odd = np.flatnonzero(numbers.is_odd | numbers.has_point | (numbers.mantissas >= np.uint64(1 << 62)))
        grades = numbers.mantissas.view(np.int64)
        grades = np.where(numbers.is_negative, -grades, grades)
        if len(odd) * _FEW > len(grades) + _FEW**2:
            return None
        for row in odd.tolist():
            text = self._field(row, column)
            if not _WHOLE.fullmatch(text):
                return None
            grades[row] = int(text)
        return grades

    def _field(self, row: int, column: int) -> bytes:
        row %= self.line_count
        fields = self._ends.reshape(-1)
        start = fields[row * self._ends.shape[1] + column - 1] + 1 if row or column else 0
        return self.raw[start : self._ends[row, column]]
