"""The topic of each row, run-length encoded: run files have few topics and very many rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trackside.files.text_columns import TextColumn
from trackside.lazy_polars import pl


class TopicRows:
    """The topic of every row, as consecutive spans of equal topics."""

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


def rows_of(topic: str, topics: Sequence[str], bounds: NDArray[np.int64]) -> slice:
    """The rows of one topic, of topics in byte order. Raises KeyError for an absent topic."""
    index = bisect_left(topics, topic) if isinstance(topic, str) else len(topics)
    if index == len(topics) or topics[index] != topic:
        raise KeyError(topic)
    return slice(int(bounds[index]), int(bounds[index + 1]))
