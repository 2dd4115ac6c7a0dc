"""Rankings: one run, each topic's results best first."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trackside.errors import InputError
from trackside.files import in_memory
from trackside.files.columns import Oddity, OddityKind
from trackside.files.corpora import Corpus
from trackside.files.in_memory import DataFrameLike, column
from trackside.files.rows import RowsByTopic, TopicRows, may_repeat_docnos, order, rows_of, topics_of
from trackside.files.run_parts import RankingReader, without_nan
from trackside.files.streams import MAX_BYTES, Blocks, Source
from trackside.files.text_columns import TextColumn
from trackside.lazy_polars import pl
from trackside.text.counted import counted
from trackside.text.shown import Outline


class Rankings(RowsByTopic[float]):
    """One run, a mapping of topics to scores by docno in trec_eval's order. Equal runs have equal results.

    ``topics`` are in byte order. Results are concatenated: those of topic i are rows ``bounds[i]`` to
    ``bounds[i + 1]`` of ``docnos`` (String), of ``docno_texts``, the same without polars, and of ``scores``
    (float64), ``topic_of_row`` has the index of each one's topic. ``has_duplicates`` is True if a topic lists
    a docno twice. ``oddities`` are the irregularities that the reader accepted.
    """

    def __init__(
        self,
        tag: str,
        rows: TopicRows,
        docnos: TextColumn,
        scores: NDArray[np.float64],
        *,
        single: bool = False,
        oddities: Sequence[Oddity] = (),
    ) -> None:
        self.tag = tag
        self.oddities = tuple(oddities)
        self.topics, self.bounds, grouping = rows.grouped()
        if grouping is not None:
            docnos, scores = docnos.take(grouping), scores[grouping]
        self.topic_of_row = topics_of(self.bounds)
        ranking = order(self.topic_of_row, scores, docnos, single=single)
        if ranking is not None:
            docnos, scores = docnos.take(ranking), scores[ranking]
        self.docno_texts = docnos
        self.scores = scores
        self.has_duplicates = False
        if may_repeat_docnos(self.topic_of_row, docnos):
            frame = pl.DataFrame({"topic": self.topic_of_row, "docno": self.docnos})
            distinct = frame.select(pl.struct("topic", "docno").n_unique()).item()
            self.has_duplicates = bool(distinct < self.result_count)

    @classmethod
    def from_file(
        cls, source: Source, *, tag: str | None = None, single: bool = False, max_bytes: int = MAX_BYTES
    ) -> Self:
        """Read a run file as trec_eval 10 does; ``run_checks`` has the strict reader.

        ``source`` is a path, "-" for standard input, bytes or a binary stream; plain, .gz, .zst or .bz2.
        ``tag`` defaults to the last line's. Raises InputError.
        """
        blocks = Blocks(source, max_bytes=max_bytes)
        reader = RankingReader(blocks)
        docnos = TextColumn.joined(reader.docnos())
        if not len(docnos):
            raise InputError(
                f"{blocks.name}: no results in it. A run has lines such as 'topic Q0 docno 1 0.31 tag'.",
                code="not-a-run",
            )
        if blocks.is_marked:
            reader.oddities.add(OddityKind.BYTE_ORDER_MARK, 1, 1)
        return cls(
            tag or reader.tag,
            reader.topics,
            docnos,
            reader.scores,
            single=single,
            oddities=reader.oddities.found(),
        )

    @classmethod
    def from_dict(
        cls, results: Mapping[str, Mapping[str, float]], *, tag: str = "", single: bool = False
    ) -> Self:
        """Create from scores by topic and docno. Raises entry-unfit."""
        docnos = in_memory.names([docno for ranking in results.values() for docno in ranking], "docno")
        counts = [len(ranking) for ranking in results.values()]
        return cls(
            tag,
            TopicRows.of_counts(in_memory.names(list(results), "topic"), counts),
            TextColumn.of_series(pl.Series("docno", docnos, pl.String)),
            without_nan(in_memory.scores(results)),
            single=single,
        )

    @classmethod
    def from_packed(
        cls, rows: Iterable[tuple[str, str, bytes]], *, tag: str = "", single: bool = False
    ) -> Self:
        """Create from (topic, docnos joined by line feeds, little-endian doubles), the database's format."""
        topics, joined, scores = [], [], []
        for topic, names, values in rows:
            if values:
                topics.append(topic)
                joined.append(names)
                scores.append(np.frombuffer(values, "<f8"))
        return cls(
            tag,
            TopicRows.of_counts(topics, [len(values) for values in scores]),
            TextColumn.of_lines("".join(f"{names}\n" for names in joined).encode()),
            without_nan(np.concatenate(scores) if scores else np.empty(0)),
            single=single,
        )

    @classmethod
    def from_frame(
        cls,
        frame: DataFrameLike,
        *,
        topic: str = "topic",
        docno: str = "docno",
        score: str = "score",
        tag: str = "",
        single: bool = False,
    ) -> Self:
        """From a data frame, of polars or pandas, with the three named columns. Raises column-unfit."""
        return cls(
            tag,
            TopicRows.of_column(column(frame, topic, pl.String)),
            TextColumn.of_series(column(frame, docno, pl.String)),
            without_nan(column(frame, score, pl.Float64).to_numpy()),
            single=single,
        )

    def __getitem__(self, topic: str) -> dict[str, float]:
        """Scores by docno of one topic, best first."""
        rows = rows_of(topic, self.topics, self.bounds)
        return dict(zip(self.docno_texts.take(rows).to_list(), self.scores[rows].tolist(), strict=True))

    def _shown(self) -> Outline:
        line = f"{self.tag}: {self.result_count:,} results of {counted(len(self), 'topic')}"
        rows = ((topic, f"{len(docnos):,}", ", ".join(docnos[:3])) for topic, docnos, _ in self.results())
        return Outline(line, ("topic", "results", "first"), rows)

    @property
    def result_count(self) -> int:
        """Number of results over all topics."""
        return len(self.scores)

    def results(self) -> Iterator[tuple[str, list[str], NDArray[np.float64]]]:
        """Each topic with its docnos and scores, best first."""
        for topic, (start, stop) in zip(self.topics, pairwise(self.bounds.tolist()), strict=True):
            yield topic, self.docno_texts.take(slice(start, stop)).to_list(), self.scores[start:stop]

    def first(self, depth: int) -> Self:
        """The run with the first ``depth`` results of each topic."""
        ranks = np.arange(self.result_count) - self.bounds[self.topic_of_row]
        return self._of_rows(np.flatnonzero(ranks < depth))

    def top(self, depth: int) -> dict[str, list[str]]:
        """The first ``depth`` docnos of each topic."""
        head = self.first(depth)
        docnos, bounds = head.docno_texts.to_list(), pairwise(head.bounds.tolist())
        return {topic: docnos[start:stop] for topic, (start, stop) in zip(self.topics, bounds, strict=True)}

    def without_self(self) -> Self:
        """The run without results whose docno is the topic: a collection may contain its topics."""
        topic = pl.Series("topic", self.topics, pl.String).gather(self.topic_of_row)
        return self._of_rows(np.flatnonzero((topic != self.docnos).to_numpy()))

    def within(self, corpus: Corpus | None) -> Self:
        """The run without results outside the corpus; with None the run itself."""
        return self if corpus is None else self._of_rows(np.flatnonzero(corpus.holds(self.docno_texts)))

    def _of_rows(self, rows: NDArray[np.int64]) -> Self:
        topic_of_row = self.topic_of_row[rows]
        kept = copy.copy(self)
        vars(kept).update(
            docno_texts=self.docno_texts.take(rows),
            scores=self.scores[rows],
            bounds=np.searchsorted(topic_of_row, np.arange(len(self.topics) + 1)),
            topic_of_row=topic_of_row,
        )
        return kept

    def packed(self) -> Iterator[tuple[str, str, bytes]]:
        """Yield each topic in the format of ``from_packed``."""
        for topic, (start, stop) in zip(self.topics, pairwise(self.bounds.tolist()), strict=True):
            docnos = self.docno_texts.take(slice(start, stop)).lines()[:-1].decode()
            yield topic, docnos, self.scores[start:stop].astype("<f8").tobytes()

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Scores by topic and docno."""
        return dict(self)

    def to_frame(self) -> pl.DataFrame:
        """One row per result, best first: topic, docno, rank (from 1) and score."""
        rank = np.arange(self.result_count) - self.bounds[self.topic_of_row] + 1
        topic = pl.Series("topic", self.topics, pl.String).gather(self.topic_of_row)
        return pl.DataFrame(
            [topic, self.docnos.alias("docno"), pl.Series("rank", rank), pl.Series("score", self.scores)]
        )
