"""A run on disk while it is checked, so that little memory is needed.

Its rows are sorted by topic to examine complete topics; its rankings wait in the database's format.
"""

import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from trackside.files import Rankings

BATCH_ROWS = 100_000
_BATCH_BYTES = 8 << 20  # of texts
_NUMBERS: dict[str, np.dtype[Any]] = {
    "line": np.dtype("<u4"),
    "code": np.dtype("<u4"),
    "rank": np.dtype("<i8"),
    "score": np.dtype("<f8"),
}
_ENDS = np.dtype("<i8")
_SIZES = struct.Struct("<III")


@dataclass(frozen=True, slots=True)
class _Texts:
    """A column of texts in the file: offset of the array of their ends, and of the texts, one per line."""

    ends_at: int
    texts_at: int


@dataclass(frozen=True, slots=True)
class _Segment:
    """Rows written together: sorted by topic, in file order within each."""

    first: int  # number of its first row among all
    bounds: NDArray[np.int64]  # of the rows of each topic
    byte_bounds: NDArray[np.int64]  # of their docnos
    numbers: dict[str, int]  # offset of each column in the file
    docnos: _Texts
    examples: _Texts


class RowSpool:
    """Rows with the columns line, code, docno, rank, score and example, in a file deleted with this object.

    ``code`` numbers the topic from 0; ``rank`` may be null; examples print ``example`` after a docno.
    """

    def __init__(self, code_count: int) -> None:
        self._code_count = code_count
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._waiting: list[pl.DataFrame] = []
        self._waiting_rows = self._waiting_bytes = 0
        self._segments: list[_Segment] = []
        self._row_count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, rows: pl.DataFrame) -> None:
        """Append rows, in the order of the run file."""
        self._waiting.append(rows)
        self._waiting_rows += rows.height
        self._waiting_bytes += sum(int(rows[name].str.len_bytes().sum()) for name in ("docno", "example"))
        if self._waiting_rows >= BATCH_ROWS or self._waiting_bytes >= _BATCH_BYTES:
            self._write()

    def batches(self) -> Iterator[pl.DataFrame]:
        """Yield all rows by code, whole topics, about BATCH_ROWS at a time; ``index`` is a row's number."""
        self._write()
        rows, sizes = np.zeros(self._code_count, np.int64), np.zeros(self._code_count, np.int64)
        for segment in self._segments:
            rows += np.diff(segment.bounds)
            sizes += np.diff(segment.byte_bounds)
        start = row_count = byte_count = 0
        for code, (more_rows, more_bytes) in enumerate(zip(rows.tolist(), sizes.tolist(), strict=True)):
            is_full = row_count + more_rows > BATCH_ROWS or byte_count + more_bytes > _BATCH_BYTES
            if row_count and is_full:
                yield self._read(start, code)
                start, row_count, byte_count = code, 0, 0
            row_count += more_rows
            byte_count += more_bytes
        if row_count:
            yield self._read(start, self._code_count)

    def example_text(self, index: int) -> str:
        """The text that an example prints after a row's docno: its second, fourth and fifth column."""
        segment = next(segment for segment in reversed(self._segments) if segment.first <= index)
        row = index - segment.first
        return str(self._texts(segment.examples, row, row + 1)[0])

    def _write(self) -> None:
        if not self._waiting_rows:
            return
        rows = _by_code(pl.concat(self._waiting))
        self._waiting, self._waiting_rows, self._waiting_bytes = [], 0, 0
        codes = rows["code"].to_numpy()
        bounds = np.searchsorted(codes, np.arange(self._code_count + 1))
        rows = rows.with_columns(pl.col("rank").fill_null(NO_RANK))
        numbers = {name: self._put(rows[name].to_numpy().astype(kind)) for name, kind in _NUMBERS.items()}
        sizes = rows["docno"].str.len_bytes().cast(pl.Int64).cum_sum().to_numpy()
        byte_bounds = np.concatenate(([0], sizes))[bounds]
        docnos, texts = self._put_texts(rows["docno"]), self._put_texts(rows["example"])
        self._segments.append(_Segment(self._row_count, bounds, byte_bounds, numbers, docnos, texts))
        self._row_count += rows.height

    def _put(self, column: NDArray[Any]) -> int:
        return self._put_bytes(column.tobytes())

    def _put_bytes(self, content: bytes) -> int:
        start = self._file.seek(0, 2)
        self._file.write(content)
        return start

    def _put_texts(self, column: pl.Series) -> _Texts:
        ends = (column.str.len_bytes().cast(pl.Int64) + 1).cum_sum().to_numpy().astype(_ENDS)
        return _Texts(self._put(ends), self._put_bytes(column.str.join("\n").item().encode()))

    def _read(self, start: int, stop: int) -> pl.DataFrame:
        """The rows of the topics with codes from ``start`` to before ``stop``."""
        parts = []
        for segment in self._segments:
            low, high = int(segment.bounds[start]), int(segment.bounds[stop])
            if low < high:
                columns = {}
                for name, offset in segment.numbers.items():
                    columns[name] = self._numbers(offset, _NUMBERS[name], low, high)
                indices = np.arange(segment.first + low, segment.first + high)
                docnos = self._texts(segment.docnos, low, high)
                parts.append(pl.DataFrame({**columns, "docno": docnos, "index": indices}))
        return _by_code(pl.concat(parts).with_columns(pl.col("rank").replace(NO_RANK, None)))

    def _numbers(self, offset: int, kind: np.dtype[Any], low: int, high: int) -> NDArray[Any]:
        self._file.seek(offset + low * kind.itemsize)
        return np.frombuffer(self._file.read((high - low) * kind.itemsize), kind)

    def _texts(self, texts: _Texts, low: int, high: int) -> pl.Series:
        before = int(self._numbers(texts.ends_at, _ENDS, low - 1, low)[0]) if low else 0
        end = int(self._numbers(texts.ends_at, _ENDS, high - 1, high)[0])
        self._file.seek(texts.texts_at + before)
        joined = self._file.read(end - 1 - before).decode()
        return pl.Series(joined.split("\n"), dtype=pl.String)


def _by_code(rows: pl.DataFrame) -> pl.DataFrame:
    return rows if rows["code"].is_sorted() else rows.sort("code", maintain_order=True)


# Ranks are 64-bit integers; the smallest one means null.
NO_RANK = -(2**63)


class PackedRankings:
    """Topics with their docnos and scores in the form of ``Rankings.packed``."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, rankings: Rankings) -> None:
        """Write the topics of some rankings."""
        for topic, docnos, scores in rankings.packed():
            name, names = topic.encode(), docnos.encode()
            self._file.write(_SIZES.pack(len(name), len(names), len(scores)) + name + names + scores)

    def __iter__(self) -> Iterator[tuple[str, str, bytes]]:
        """Each topic in the order they were added."""
        self._file.seek(0)
        while sizes := self._file.read(_SIZES.size):
            topic, docnos, scores = map(self._file.read, _SIZES.unpack(sizes))
            yield topic.decode(), docnos.decode(), scores
