"""Oddities that a lenient reader accepted, by kind, with a count and the first line."""

from dataclasses import dataclass
from enum import StrEnum


class OddityKind(StrEnum):
    """Kinds of oddity; the value is the sentence shown."""

    BYTE_ORDER_MARK = "byte order mark left out"
    BLANK_LINE = "blank lines skipped"
    COMMENT_LINE = "lines starting with # skipped"
    EXTRA_COLUMNS = "columns past the sixth ignored"
    CARRIAGE_RETURN = "Windows line ends read as plain ones"
    NOT_UTF8 = "bytes that are not UTF-8 read one by one"
    SCORE_NOT_DECIMAL = "scores that are not finite decimals, such as 0.5x, read as trec_eval reads them"
    SCORE_NAN = "scores that are not a number put last in their topic"
    TAG_CHANGES = "lines with another tag than the first; the last line's names the run"
    GRADE_PREFIX = "grades read up to the first odd character, as trec_eval reads them"


@dataclass(frozen=True, slots=True)
class Oddity:
    """One kind of oddity in one file: its count and first line."""

    kind: OddityKind
    count: int
    first_line: int

    def __str__(self) -> str:
        where = f"first on line {self.first_line:,}" if self.count > 1 else f"line {self.first_line:,}"
        return f"{self.kind} ({self.count:,}, {where})"


class OddityCounts:
    """Counts oddities while a file is read."""

    def __init__(self) -> None:
        self._found: dict[OddityKind, Oddity] = {}

    def add(self, kind: OddityKind, count: int, first_line: int) -> None:
        """Add ``count`` to a kind; blocks arrive in file order, so the first line is final."""
        if count:
            before = self._found.get(kind)
            first = before.first_line if before else first_line
            self._found[kind] = Oddity(kind, count + (before.count if before else 0), first)

    def found(self) -> tuple[Oddity, ...]:
        """All kinds found, in order of first occurrence."""
        return tuple(self._found.values())
