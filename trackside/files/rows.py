"""Rows of runs and qrels: their topics, their order, and pairs of topic and docno that are repeated."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from trackside.files.text_columns import TextColumn
from trackside.lazy_polars import pl
from trackside.text.shown import Shown

Value = TypeVar("Value", int, float)


class TopicRows:
    """The topic of every row as spans of equal topics: run files have few topics and very many rows."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._counts: list[int] = []

    @classmethod
    def of_column(cls, column: pl.Series) -> Self:
        """Create from a String column."""
        rows = cls()
        rows.add(column)
        return rows

    @classmethod
    def of_counts(cls, names: Sequence[str], counts: Sequence[int]) -> Self:
        """Create from topics with the number of rows of each."""
        rows = cls()
        rows._names, rows._counts = list(names), list(counts)
        return rows

    def add(self, column: pl.Series) -> None:
        """Append the rows of a String column."""
        stretches = column.rle().struct
        self._names += stretches.field("value").to_list()
        self._counts += stretches.field("len").to_list()

    def add_texts(self, column: TextColumn) -> None:
        """Append the rows of a column of texts."""
        firsts = np.concatenate(([0], np.flatnonzero(~column.is_like_previous()) + 1))
        self._names += column.take(firsts).to_list()
        self._counts += np.diff(firsts, append=len(column)).tolist()

    def grouped(self) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64] | None]:
        """Topics in byte order, the bounds of their rows, and the permutation that groups rows by topic.

        The permutation preserves the order within a topic; it is None if the rows are already grouped.
        Topics without rows are left out.
        """
        counts = np.array(self._counts, np.int64)
        # UTF-8 preserves the order of code points, which is the order of Python's strings.
        topics = tuple(sorted({name for name, count in zip(self._names, self._counts, strict=True) if count}))
        index = {topic: number for number, topic in enumerate(topics)}
        of_stretch = np.array([index.get(name, 0) for name in self._names], np.int64)
        sizes = np.bincount(of_stretch, weights=counts, minlength=len(topics)).astype(np.int64)
        bounds = np.concatenate(([0], np.cumsum(sizes[: len(topics)])))  # without topics there is one size, 0
        if (np.diff(of_stretch) >= 0).all():
            return topics, bounds, None
        return topics, bounds, np.argsort(np.repeat(of_stretch, counts), kind="stable")


class RowsByTopic(Shown, Mapping[str, dict[str, Value]]):
    """Values of documents by topic and docno: rows ``bounds[i]`` to ``bounds[i + 1]`` are of topic i."""

    topics: tuple[str, ...]
    bounds: NDArray[np.int64]
    topic_of_row: NDArray[np.int64]
    docno_texts: TextColumn

    @property
    def docnos(self) -> pl.Series:
        """The docnos as a String column."""
        return self.docno_texts.series

    def __getstate__(self) -> dict[str, Any]:
        """Everything but ``topic_of_row``, which ``bounds`` imply."""
        return {name: value for name, value in vars(self).items() if name != "topic_of_row"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore ``topic_of_row``."""
        vars(self).update(state, topic_of_row=topics_of(state["bounds"]))

    def __len__(self) -> int:
        """Number of topics."""
        return len(self.topics)

    def __iter__(self) -> Iterator[str]:
        """The topics."""
        return iter(self.topics)


def topics_of(bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """The index of the topic of each row."""
    return np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))


def rows_of(topic: str, topics: Sequence[str], bounds: NDArray[np.int64]) -> slice:
    """The rows of one topic, of topics in byte order. Raises KeyError for an absent topic."""
    index = bisect_left(topics, topic) if isinstance(topic, str) else len(topics)
    if index == len(topics) or topics[index] != topic:
        raise KeyError(topic)
    return slice(int(bounds[index]), int(bounds[index + 1]))


def order(
    topics: NDArray[np.int64], scores: NDArray[np.float64], docnos: TextColumn, *, single: bool = False
) -> NDArray[np.int64] | None:
    """The permutation that sorts n results by topic, best first; None if they are already sorted.

    ``topics`` has a number for each result (ascending in the output), ``scores`` its score (no NaN),
    ``docnos`` its docno. Docnos are compared as UTF-8 bytes. Results with equal topic, score and
    docno keep their order.
    """
    with np.errstate(over="ignore"):  # values beyond 32-bit floats become infinite, as in C
        keys = scores.astype(np.float32) if single else scores
    permutation = None
    is_in_order = (keys[1:] <= keys[:-1]) & (topics[1:] == topics[:-1])
    if not (is_in_order | (topics[1:] > topics[:-1])).all():
        permutation = np.lexsort((-keys, topics))
        topics, keys = topics[permutation], keys[permutation]
    is_tie = (topics[1:] == topics[:-1]) & (keys[1:] == keys[:-1])
    if not is_tie.any():
        return permutation
    in_tie = np.concatenate((is_tie, [False])) | np.concatenate(([False], is_tie))
    positions = np.flatnonzero(in_tie)
    groups = np.cumsum(np.concatenate(([True], ~is_tie)))[positions]
    if permutation is None:
        permutation = np.arange(len(scores))
    rows = permutation[positions]
    docnos_descending = [~key for key in reversed(docnos.take(rows).sort_keys())]
    permutation[positions] = rows[np.lexsort([*docnos_descending, groups])]
    return permutation


_ROWS_AT_ONCE = 1 << 13  # their cells fit into a processor's cache
_MOST_BITS = 22  # of the number of a cell: 16 MB of cells
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def may_repeat_docnos(topics: NDArray[np.int64], docnos: TextColumn) -> bool:
    """Whether a docno may be repeated within a topic; False is certain. ``topics`` are ascending numbers."""
    return all(may_repeat(topics, docnos.keys(attempt)) for attempt in range(2))


def may_repeat(topics: NDArray[np.int64], docno_hashes: NDArray[np.uint64]) -> bool:
    """Whether a pair may be repeated; False is certain. Comparing the pairs themselves takes far longer.

    ``topics`` are ascending numbers, ``docno_hashes`` 64-bit hashes, one entry per row each.
    """
    # Parts of whole topics: a pair is repeated within one of them.
    edges = np.searchsorted(topics, topics[_ROWS_AT_ONCE::_ROWS_AT_ONCE])
    parts = zip(np.split(topics, edges), np.split(docno_hashes, edges), strict=True)
    return any(_is_repeated((part.astype(np.uint64) << np.uint64(32)) ^ hashes) for part, hashes in parts)


def _is_repeated(keys: NDArray[np.uint64]) -> bool:
    """Whether a key occurs twice. Each is written to a cell; only those that are overwritten are sorted."""
    bits = min(len(keys).bit_length() + 2, _MOST_BITS)
    cells = ((keys * _MULTIPLIER) >> np.uint64(64 - bits)).view(np.int64)
    rows = np.arange(len(keys), dtype=np.int32)
    row_in_cell = np.empty(1 << bits, np.int32)
    row_in_cell[cells] = rows
    winners = row_in_cell[cells]
    lost = np.flatnonzero(winners != rows)
    rest = np.sort(keys[lost])
    return bool((keys[winners[lost]] == keys[lost]).any() or (rest[1:] == rest[:-1]).any())
