"""A column of texts as bytes; whole-array operations hash, compare and sort eight bytes at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trackside.lazy_polars import pl

Raw = bytes | bytearray
WORD = 8  # bytes
WIDEST_SORTED = 256  # bytes; columns with wider texts are sorted as Python's bytes
_TAIL = 2 * WORD  # bytes; those of docnos differ in nearly all collections
_ROWS_AT_ONCE = 1 << 15  # a gather of more does not fit into a processor's cache
_WIDEST_GATHERED = 8 * WORD  # bytes; wider texts are read word by word
_ALL = slice(None)
# _FIRST_BYTES[n] masks the first n bytes of a little-endian word.
_FIRST_BYTES = np.array([(1 << (8 * count)) - 1 for count in range(WORD + 1)], np.uint64)
_MASK64 = (1 << 64) - 1


def records_at(raw: Raw, starts: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """``width`` bytes from each start, one row after the other; they may not go beyond ``raw``.

    Copying a record of many bytes takes as long as copying one word.
    """
    records = np.ndarray((len(raw) - width + 1,), f"V{width}", raw, strides=(1,))
    return records[starts].view(np.uint8)


class TextColumn:
    """Texts in UTF-8: text i is ``raw[starts[i]:starts[i] + widths[i]]``.

    ``series`` are the same texts for polars; a TextColumn made from a series keeps it.
    """

    def __init__(self, raw: Raw, starts: NDArray[np.int64], widths: NDArray[np.int64]) -> None:
        last = int((starts + widths).max(initial=0))
        self._raw = raw if last + WORD <= len(raw) + 1 else raw + bytes(WORD)
        # The eight bytes from each position as a little-endian number, without a copy.
        self._words = np.ndarray((max(len(self._raw) - WORD + 1, 0),), "<u8", self._raw, strides=(1,))
        self.starts, self.widths = starts, widths

    @classmethod
    def of_series(cls, series: pl.Series) -> Self:
        """Create from a String column without gaps."""
        widths = series.str.len_bytes().to_numpy().astype(np.int64)
        raw = series.str.join("\n").item().encode() if len(series) else b""
        texts = cls(raw, _starts_of_lines(widths), widths)
        texts.series = series
        return texts

    @classmethod
    def of_lines(cls, raw: bytes) -> Self:
        """Create from texts that each end with a line feed and contain no other."""
        ends = np.flatnonzero(np.frombuffer(raw, np.uint8) == ord("\n"))
        starts = np.concatenate(([0], ends[:-1] + 1))[: len(ends)]
        return cls(raw, starts, ends - starts)

    @classmethod
    def joined(cls, parts: Iterable[TextColumn]) -> Self:
        """Join several columns."""
        raws: list[Raw] = []
        starts, widths, hashes = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
        size = 0
        for part in parts:
            raw, starts_of_part = part.compact()
            raws.append(raw)
            starts.append(starts_of_part + size)
            widths.append(part.widths)
            hashes.append(part.tail_hashes)
            size += len(raw)
        joined = cls(b"".join([*raws, bytes(WORD)]), np.concatenate(starts), np.concatenate(widths))
        joined.tail_hashes = np.concatenate(hashes)
        return joined

    def compact(self) -> tuple[Raw, NDArray[np.int64]]:
        """Bytes that hold the texts and at most as much beside them, and where each text starts."""
        if len(self._raw) <= 2 * int(self.widths.sum()):
            return self._raw, self.starts
        return self.lines(), _starts_of_lines(self.widths)

    def __getstate__(self) -> tuple[bytes, NDArray[np.int64] | None]:
        """The texts as lines, and their widths if one of them has a line feed."""
        lines = self.lines()
        return lines, None if lines.count(b"\n") == len(self) else self.widths

    def __setstate__(self, state: tuple[bytes, NDArray[np.int64] | None]) -> None:
        """Restore the texts."""
        lines, widths = state
        texts = (
            self.of_lines(lines) if widths is None else TextColumn(lines, _starts_of_lines(widths), widths)
        )
        vars(self).update(vars(texts))

    def __len__(self) -> int:
        """Number of texts."""
        return len(self.starts)

    def take(self, rows: NDArray[np.int64] | slice) -> TextColumn:
        """The texts of some rows."""
        taken = self._at(self.starts[rows], self.widths[rows])
        if "series" in self.__dict__:
            taken.series = self.series[rows]  # long texts are not decoded again
        if "tail_hashes" in self.__dict__:
            taken.tail_hashes = self.tail_hashes[rows]
        return taken

    def _at(self, starts: NDArray[np.int64], widths: NDArray[np.int64]) -> TextColumn:
        """Other parts of the same bytes, without a copy."""
        texts = TextColumn.__new__(TextColumn)
        vars(texts).update(_raw=self._raw, _words=self._words, starts=starts, widths=widths)
        return texts

    @cached_property
    def series(self) -> pl.Series:
        """The texts as a String column."""
        lines = self.lines()[:-1].decode()
        series = pl.Series("docno", [lines] if len(self) else [], pl.String).str.split("\n").explode()
        if len(series) != len(self):  # a text with a line feed
            return pl.Series("docno", self.to_list(), pl.String)
        return series

    def to_list(self) -> list[str]:
        """The texts."""
        texts = self.lines().decode().split("\n")[:-1]
        return texts if len(texts) == len(self) else [text.decode() for text in self._each()]

    def lines(self) -> bytes:
        """The texts, each ended by a line feed."""
        widest = int(self.widths.max(initial=0))
        if widest > _WIDEST_GATHERED:
            return b"".join([text + b"\n" for text in self._each()])
        is_within = int(self.starts.max(initial=0)) + widest < len(self._raw)
        raw = self._raw if is_within else self._raw + bytes(widest + 1)
        table = records_at(raw, self.starts, widest + 1).reshape(len(self), widest + 1)
        widths = self.widths.astype(np.uint8)
        table[np.arange(len(self)), widths] = ord("\n")
        if self._one_width():
            return table.tobytes()
        return table[np.arange(widest + 1, dtype=np.uint8) <= widths[:, None]].tobytes()

    def _each(self) -> Iterator[Raw]:
        ends = self.starts + self.widths
        for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True):
            yield self._raw[start:end]

    def keys(self, attempt: int) -> NDArray[np.uint64]:
        """A 64-bit number for each text, equal for equal texts; different texts differ in some attempt.

        Attempt 0 is the cheapest, and enough unless two texts have one width and equal tails.
        """
        return self.hashes(attempt) if attempt else self.tail_hashes

    @cached_property
    def tail_hashes(self) -> NDArray[np.uint64]:
        """A 64-bit hash of the width and the last 16 bytes of each text."""
        widths = np.minimum(self.widths, _TAIL)
        tails = self._at(self.starts + (self.widths - widths), widths)
        return tails._hashed(0, self.widths)  # noqa: SLF001 - of its own class

    def hashes(self, seed: int) -> NDArray[np.uint64]:
        """A 64-bit hash of each text; with another seed, texts whose hashes were equal differ.

        Mixing twice (splitmix64) makes sums depend on the secrets, so no texts have equal hashes under all
        seeds.
        """
        return self._hashed(seed, self.widths)

    def _hashed(self, seed: int, widths: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Mix each word with a secret of its position and add the results to the hash of the width."""
        hashes = widths.astype(np.uint64) * np.uint64(_secret(seed, 0) | 1)
        for position, (rows, words) in enumerate(self._each_word(), 1):
            words ^= np.uint64(_secret(seed, position))
            hashes[rows] += _mixed(words)
        hashes ^= hashes >> np.uint64(31)
        return hashes

    def is_like_previous(self) -> NDArray[np.bool_]:
        """For each text but the first, whether it equals the one before it."""
        is_same: NDArray[np.bool_] = self.widths[1:] == self.widths[:-1]
        for rows, words in self._each_word():
            if isinstance(rows, slice):
                is_same &= words[1:] == words[:-1]
            else:
                indices = np.flatnonzero(rows[1:] == rows[:-1] + 1)  # other neighbours differ in width
                is_same[rows[indices]] &= words[indices + 1] == words[indices]
        return is_same

    def equals(self, other: TextColumn) -> NDArray[np.bool_]:
        """Whether each text equals that in the same row of ``other``."""
        is_same: NDArray[np.bool_] = self.widths == other.widths
        width = self._one_width()
        if width and is_same.all():
            chunks = [slice(start, start + _ROWS_AT_ONCE) for start in range(0, len(self), _ROWS_AT_ONCE)]
            if all(
                np.array_equal(self._gathered(width, rows), other._gathered(width, rows)) for rows in chunks
            ):
                return is_same
        rows = np.flatnonzero(is_same)
        left = self.widths
        for offset in range(0, int(left.max(initial=0)), WORD):
            rows = rows[left[rows] > offset]
            word = self._words[self.starts[rows] + offset] ^ other._words[other.starts[rows] + offset]
            is_equal = (word & _FIRST_BYTES[np.minimum(left[rows] - offset, WORD)]) == 0
            is_same[rows[~is_equal]] = False
            rows = rows[is_equal]
        return is_same

    def sort_keys(self) -> list[NDArray[np.uint64]]:
        """Numbers that sort like the texts' bytes, most significant first.

        Zeros fill up the last word, so the width orders a text before the same text followed by NUL.
        """
        if int(self.widths.max(initial=0)) > WIDEST_SORTED:
            texts = [text.encode() for text in self.to_list()]
            ranks = {text: number for number, text in enumerate(sorted(set(texts)))}
            return [np.array([ranks[text] for text in texts], np.uint64)]
        keys = []
        for rows, words in self._each_word():
            key = np.zeros(len(self), np.uint64)
            key[rows] = words.byteswap()
            keys.append(key)
        return [*keys, self.widths.astype(np.uint64)]

    def _each_word(self) -> Iterator[tuple[slice | NDArray[np.int64], NDArray[np.uint64]]]:
        """Yield the rows that have a first, second, ... word, and these words, filled up with zeros."""
        if width := self._one_width():
            table = self._gathered(-(-width // WORD) * WORD).view(np.uint64).reshape(len(self), -1)
            for offset, column in zip(range(0, width, WORD), table.T, strict=True):
                words = column.copy()
                if width - offset < WORD:
                    words &= _FIRST_BYTES[width - offset]
                yield _ALL, words
            return
        widest = int(self.widths.max(initial=0))
        rows = np.arange(len(self))
        for offset in range(0, widest, WORD):
            rows = rows[self.widths[rows] > offset]
            words = self._words[self.starts[rows] + offset]
            words &= _FIRST_BYTES[np.minimum(self.widths[rows] - offset, WORD)]
            yield rows, words

    def _one_width(self) -> int:
        """The width of all texts; 0 if there is none, or too wide to gather."""
        widest = int(self.widths.max(initial=0))
        is_one = widest <= _WIDEST_GATHERED and widest == int(self.widths.min(initial=widest))
        return widest if is_one else 0

    def _gathered(self, width: int, rows: slice = _ALL) -> NDArray[np.uint8]:
        """``width`` bytes from each start, row by row; up to 7 more than a text has."""
        return records_at(self._raw, self.starts[rows], width)


def _starts_of_lines(widths: NDArray[np.int64]) -> NDArray[np.int64]:
    starts: NDArray[np.int64] = np.cumsum(widths)
    starts -= widths
    starts += np.arange(len(widths))
    return starts


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """splitmix64's mixing without its last step, in place."""
    words ^= words >> np.uint64(30)
    words *= np.uint64(0xBF58476D1CE4E5B9)
    words ^= words >> np.uint64(27)
    words *= np.uint64(0x94D049BB133111EB)
    return words


def _secret(seed: int, position: int) -> int:
    """A constant for a seed and the position of a word: splitmix64's numbers."""
    number = (seed * 0xD1342543DE82EF95 + (position + 1) * 0x9E3779B97F4A7C15) & _MASK64
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK64
    return number ^ (number >> 31)
