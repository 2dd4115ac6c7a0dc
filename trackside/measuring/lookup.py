"""Join of a run with judgments: one exact lookup of its docnos serves any number of qrels.

Also the grades at the top of a ranking as a string, trec_eval's relstring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trackside.files import Qrels, Rankings
from trackside.files.text_columns import TextColumn
from trackside.lazy_polars import pl

# Grade of a pair absent from a set of qrels. A negative grade in a file becomes IN_POOL or less.
ABSENT = -1
IN_POOL = -2
_LEAST_GRADE = -(2**62)
_LEAST_FILTER_BITS = 20


@dataclass(frozen=True, slots=True)
class Found:
    """Judged results of one run: their rows, topics and pairs, in the run's order."""

    rows: NDArray[np.int64]
    topics: NDArray[np.int64]
    pairs: NDArray[np.int64]


class JudgedPairs:
    """The distinct pairs of topic and docno over several sets of qrels.

    ``topics`` is the union of their topics in byte order; ``grades[q, pair]`` is the stored grade, or ABSENT;
    ``strata[q]`` the strata or None; ``topic_of_pair`` an index into ``topics``; ``is_judged[q, topic]`` is
    True if a set of qrels has the topic.
    """

    def __init__(self, sets: Sequence[Qrels]) -> None:
        self.topics = tuple(sorted({topic for qrels in sets for topic in qrels.topics}))
        self._index = {topic: index for index, topic in enumerate(self.topics)}
        self.is_judged = np.zeros((len(sets), len(self.topics)), np.bool_)
        for is_judged, qrels in zip(self.is_judged, sets, strict=True):
            is_judged[self.places(qrels)] = True
        topics = np.concatenate([self.places(qrels)[qrels.topic_of_row] for qrels in sets])
        docnos = TextColumn.joined([qrels.docno_texts for qrels in sets])
        self._attempt, self._keys, rows, pair_of_row = distinct_pairs(topics, docnos)
        self.topic_of_pair, self._docnos = topics[rows], docnos.take(rows)
        # 16 cells or more for a key, so that few of the other results pass.
        self._filter_shift = np.uint64(64 - max(_LEAST_FILTER_BITS, len(rows).bit_length() + 4))
        self._filter = np.zeros(1 << (64 - int(self._filter_shift)), np.bool_)
        self._filter[self._cells(self._keys)] = True
        self.grades = np.full((len(sets), len(self._keys)), ABSENT, np.int64)
        self.strata: list[NDArray[np.int64] | None] = []
        start = 0
        for grades, qrels in zip(self.grades, sets, strict=True):
            pairs = pair_of_row[start : start + qrels.pair_count]
            grades[pairs] = stored(qrels.grades)
            strata = None
            if qrels.strata is not None:
                strata = np.zeros(len(self._keys), np.int64)
                strata[pairs] = qrels.strata
            self.strata.append(strata)
            start += qrels.pair_count

    @property
    def docnos(self) -> pl.Series:
        """The docno of each pair."""
        return self._docnos.series

    def sets(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64] | None, NDArray[np.bool_]]]:
        """For each set of qrels: the grades and strata of its pairs, and a mask of its pairs."""
        for grades, strata in zip(self.grades, self.strata, strict=True):
            is_in = grades != ABSENT
            yield grades, None if strata is None else strata[is_in], is_in

    def find(self, run: Rankings) -> Found:
        """The results of the run judged by at least one set of qrels."""
        topic_of_row = self.places(run)[run.topic_of_row]
        keys = _keys(topic_of_row, run.docno_texts.keys(self._attempt))
        rows = np.flatnonzero(self._filter[self._cells(keys)])
        slots = np.minimum(np.searchsorted(self._keys, keys[rows]), len(self._keys) - 1)
        is_same = (self._keys[slots] == keys[rows]) & (self.topic_of_pair[slots] == topic_of_row[rows])
        rows, pairs = rows[is_same], slots[is_same]
        is_same = run.docno_texts.take(rows).equals(self._docnos.take(pairs))
        rows, pairs = rows[is_same], pairs[is_same]
        return Found(rows, topic_of_row[rows], pairs)

    def places(self, source: Rankings | Qrels) -> NDArray[np.int64]:
        """For each topic of the run or qrels its index in ``topics``, -1 for an unjudged topic."""
        return np.array([self._index.get(topic, -1) for topic in source.topics], np.int64)

    def _cells(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Positions of keys in the filter: their leading bits. numpy is twice as fast with signed indices."""
        return (keys >> self._filter_shift).view(np.int64)


class DistinctPairs(NamedTuple):
    """Distinct pairs of topic and docno: their keys, ascending, a row of each, and the pair of each row.

    ``attempt`` numbers the docno keys that the keys were made from.
    """

    attempt: int
    keys: NDArray[np.uint64]
    row_of_pair: NDArray[np.int64]
    pair_of_row: NDArray[np.int64]


def distinct_pairs(topics: NDArray[np.int64], docnos: TextColumn) -> DistinctPairs:
    """Deduplicate the pairs of rows; ``topics`` are numbers. Retries if two keys collide."""
    for attempt in count():
        distinct = DistinctPairs(attempt, *_distinct(_keys(topics, docnos.keys(attempt))))
        row_of_same = distinct.row_of_pair[distinct.pair_of_row]
        if (topics == topics[row_of_same]).all() and docnos.equals(docnos.take(row_of_same)).all():
            break
    return distinct


def stored(grades: NDArray[np.int64]) -> NDArray[np.int64]:
    """The grades with one less for negative ones, so that none equals ABSENT: -1 becomes IN_POOL."""
    return np.where(grades < 0, np.maximum(grades, _LEAST_GRADE) - 1, grades)


def _distinct(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Like ``np.unique`` with an index and the inverse, which would import masked arrays, for 8 ms."""
    order = np.argsort(keys, kind="stable")  # first rows lie close together
    ascending = keys[order]
    is_first = np.concatenate(([True], ascending[1:] != ascending[:-1]))[: len(keys)]
    distinct_of_row = np.empty(len(keys), np.int64)
    distinct_of_row[order] = np.cumsum(is_first) - 1
    return ascending[is_first], order[is_first], distinct_of_row


def _keys(topics: NDArray[np.int64], hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A 64-bit key per pair; callers compare topic and docno wherever keys are equal.

    Docno hashes are already well mixed, so a constant per topic (splitmix64) separates the topics.
    """
    salts = np.arange(1, topics.max(initial=-1) + 3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    salts = (salts ^ (salts >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    salts = (salts ^ (salts >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashes ^ salts[topics]


_HIGHEST_DIGIT = 9


def grade_strings(
    run: Rankings,
    qrels: Qrels,
    *,
    length: int = 10,
    max_results: int | None = None,
    is_judged_only: bool = False,
) -> dict[str, str]:
    """For each judged topic, the grades of its first results, one character each.

    A digit is the grade, > a grade above 9, - a document outside the pool, . a pool document without a grade.
    """
    run, pairs = run.within(qrels.corpus), JudgedPairs([qrels])
    hits = pairs.find(run)
    ranks = hits.rows - run.bounds[run.topic_of_row[hits.rows]]
    sizes = np.zeros(len(pairs.topics), np.int64)
    topic_indices = pairs.places(run)
    sizes[topic_indices[topic_indices >= 0]] = np.diff(run.bounds)[topic_indices >= 0]
    if max_results is not None:
        sizes = np.minimum(sizes, max_results)
    strings = {}
    for index, topic in enumerate(pairs.topics):
        grades = np.full(sizes[index], ABSENT)
        is_in = (hits.topics == index) & (ranks < sizes[index])
        grades[ranks[is_in]] = pairs.grades[0][hits.pairs[is_in]]
        if is_judged_only:
            grades = grades[grades >= 0]
        strings[topic] = "".join(_character(grade) for grade in grades[:length].tolist())
    return strings


def _character(grade: int) -> str:
    if grade > _HIGHEST_DIGIT:
        return ">"
    if grade <= IN_POOL:
        return "."
    return "-" if grade == ABSENT else str(grade)
