"""Parses blocks of lines into columns: fields separated by any white space, with line numbers.

A block with one kind of separator goes straight to polars, the fastest splitter available. For other blocks
(blanks mixed with tabs, blank lines, missing or extra columns, Windows line ends) numpy first normalises the
separators to single blanks and sets malformed lines aside. Both paths return the same columns.
"""

from __future__ import annotations  # polars is imported on first use

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from trackside.errors import InputError
from trackside.files.streams import BYTE_ORDER_MARK, Blocks
from trackside.lazy_polars import pl

LINE = "line"
_ODD_LINES_SHOWN = 3


class MalformedLine(InputError):
    """A line has the wrong number of columns."""


@dataclass(frozen=True, slots=True)
class OddLine:
    """A line with the wrong number of columns: its number from 1, and its text cut at 200 characters."""

    number: int
    field_count: int
    text: str

    @property
    def columns(self) -> str:
        """Its number of columns, in words."""
        return f"{self.field_count} column" + "s" * (self.field_count != 1)


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of ``line_count`` consecutive lines, and the lines set aside.

    ``frame`` has one String column per field and ``line``, the number of each line. ``odd`` are the first
    malformed lines, ``odd_count`` is their total. The other fields are line numbers: of blank, comment and
    Windows lines, and of lines with extra columns, with bytes that are not UTF-8, with a NUL byte.
    """

    frame: pl.DataFrame
    odd: Sequence[OddLine] = ()
    odd_count: int = 0
    line_count: int = 0
    blank: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    comments: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    overlong: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    windows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    not_utf8: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    nul: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a line: its columns, whether # starts a comment, and whether extra columns are dropped.

    ``is_comment_indented`` allows blanks before the #, as trec_eval does in runs but not in qrels.
    """

    columns: tuple[str, ...]
    has_comments: bool
    is_comment_indented: bool = False
    is_overlong_allowed: bool = False


def read_blocks(blocks: Blocks, form: Format) -> Iterator[Block]:
    """Yield the file as columns, block by block."""
    line = 1
    for raw in blocks:
        block = read_block(raw, form, line)
        yield block
        line += block.line_count


def read_block(raw: bytes, form: Format, line: int) -> Block:
    """A block as columns; ``line`` is the number of its first line."""
    return _read_clean(raw, form, line) or _read_untidy(raw, form, line)


def _read_clean(raw: bytes, form: Format, line: int) -> Block | None:
    """The block, parsed by polars; None unless it has one record per line and one kind of separator."""
    separator = "\t" if b"\t" in raw else " "
    others = (b"\r", b"\v", b"\f", b"\0", *((b" ",) if separator == "\t" else ()))
    has_comment = form.has_comments and (raw.startswith(b"#") or b"\n#" in raw)
    if has_comment or any(other in raw for other in others):
        return None
    try:
        frame = _split(raw, form, separator)
    except pl.exceptions.PolarsError:
        return None
    if any(frame.null_count().row(0)):
        return None
    return Block(frame.with_row_index(LINE, offset=line), line_count=frame.height)


def _split(raw: bytes, form: Format, separator: str) -> pl.DataFrame:
    if raw.startswith(BYTE_ORDER_MARK):
        # Inside a file a byte order mark is part of a field; polars drops a leading one, so prepend a line.
        sound = separator.join("-" * len(form.columns)).encode()
        return _split(sound + b"\n" + raw, form, separator)[1:]
    # No comment prefix (docnos contain #), no quoting (titles contain "), and all columns are read, because
    # a short line is visible only as nulls in its last columns.
    return pl.read_csv(
        raw,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema=dict.fromkeys(form.columns, pl.String),
    )


class _Tokens:
    """The fields of a block: start, end and line (from 0) of each, and the number of fields of each line."""

    def __init__(self, raw: bytes) -> None:
        self.buffer = np.frombuffer(raw if raw.endswith(b"\n") else raw + b"\n", np.uint8)
        self._is_space = (self.buffer == ord(" ")) | (self.buffer - ord("\t") <= ord("\r") - ord("\t"))
        edges = np.flatnonzero(np.diff(self._is_space, prepend=True))
        self.starts, self.ends = edges[::2], edges[1::2]
        self.newlines = np.flatnonzero(self.buffer == ord("\n"))
        stops = np.searchsorted(self.starts, self.newlines)
        self.counts = np.diff(stops, prepend=0)
        self.firsts = stops - self.counts
        self.lines = np.repeat(np.arange(len(self.counts)), self.counts)

    def has_byte(self, byte: int) -> NDArray[np.bool_]:
        """For each line, whether it contains the byte."""
        mask = np.zeros(len(self.newlines), np.bool_)
        mask[np.searchsorted(self.newlines, np.flatnonzero(self.buffer == byte))] = True
        return mask

    def is_comment(self, *, is_indented: bool) -> NDArray[np.bool_]:
        """For each line, whether it starts with #; ``is_indented`` allows blanks before it."""
        filled = np.flatnonzero(self.counts > 0)
        starts = self.starts[self.firsts[filled]]
        is_hash = self.buffer[starts] == ord("#")
        if not is_indented:
            is_hash &= starts == np.concatenate(([0], self.newlines + 1))[filled]
        mask = np.zeros(len(self.newlines), np.bool_)
        mask[filled[is_hash]] = True
        return mask

    def rewritten(self, is_kept: NDArray[np.bool_], column_count: int) -> bytes:
        """The first ``column_count`` fields of the selected lines, separated by one blank."""
        columns = np.arange(len(self.starts)) - self.firsts[self.lines]
        mask = is_kept[self.lines] & (columns < column_count)
        ends = self.ends[mask]
        tidy, is_in = self.buffer.copy(), ~self._is_space
        widths = self.ends[~mask] - self.starts[~mask]
        steps = np.repeat(self.ends[~mask] - np.cumsum(widths), widths)
        is_in[np.arange(widths.sum()) + steps] = False  # all places of the fields that are left out
        is_in[ends] = True
        tidy[ends] = ord(" ")
        tidy[ends[column_count - 1 :: column_count]] = ord("\n")
        rewritten: bytes = tidy[is_in].tobytes()
        return rewritten


def _read_untidy(raw: bytes, form: Format, line: int) -> Block:
    raw, not_utf8 = _as_utf8(raw)
    tokens = _Tokens(raw)
    width, counts = len(form.columns), tokens.counts
    has_nul = tokens.has_byte(0)
    is_comment = np.zeros(len(counts), np.bool_)
    if form.has_comments:
        is_comment = tokens.is_comment(is_indented=form.is_comment_indented)
    is_overlong = (counts > width) & ~is_comment
    is_kept = ((counts == width) | (is_overlong & form.is_overlong_allowed)) & ~is_comment & ~has_nul
    is_odd = (counts > 0) & ~is_kept & ~is_comment & ~has_nul
    tidy = tokens.rewritten(is_kept, width)
    frame = _split(tidy, form, " ") if tidy else pl.DataFrame(schema=dict.fromkeys(form.columns, pl.String))
    is_windows = tokens.buffer[np.maximum(tokens.newlines - 1, 0)] == ord("\r")
    return Block(
        frame.select(pl.Series(LINE, np.flatnonzero(is_kept) + line, pl.UInt32), *form.columns),
        odd=_odd_lines(raw, tokens.newlines, np.flatnonzero(is_odd)[:_ODD_LINES_SHOWN], counts, line),
        odd_count=int(is_odd.sum()),
        line_count=len(counts),
        blank=np.flatnonzero(counts == 0) + line,
        comments=np.flatnonzero(is_comment) + line,
        overlong=np.flatnonzero(is_overlong) + line,
        windows=np.flatnonzero(is_windows) + line,
        not_utf8=not_utf8 + line,
        nul=np.flatnonzero(has_nul) + line,
    )


def _odd_lines(
    raw: bytes, newlines: NDArray[np.int64], odd: NDArray[np.int64], counts: NDArray[np.int64], line: int
) -> list[OddLine]:
    odd_lines = []
    for index in odd.tolist():
        start = int(newlines[index - 1]) + 1 if index else 0
        text = raw[start : min(int(newlines[index]), start + 800)].decode("utf-8", "replace")
        odd_lines.append(OddLine(line + index, int(counts[index]), " ".join(text.split())[:200]))
    return odd_lines


def _as_utf8(raw: bytes) -> tuple[bytes, NDArray[np.int64]]:
    """The block with each invalid byte replaced by a character, and the indices of lines that have one."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        lines = raw.split(b"\n")
        sound = [line.decode(errors=_STRAY_BYTES).encode() for line in lines]
        strays = [number for number, line in enumerate(lines) if line != sound[number]]
        return b"\n".join(sound), np.array(strays, np.int64)
    return raw, np.empty(0, np.int64)


def _private_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(0xF700 + byte) for byte in error.object[error.start : error.end]), error.end


# Invalid bytes map one to one to private-use characters, so that docnos in another encoding stay distinct and
# the same docno in run and qrels stays equal.
_STRAY_BYTES = "trackside.stray-bytes"
codecs.register_error(_STRAY_BYTES, _private_characters)


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
