"""Qrels: the grades of judged documents, topic by topic."""

from __future__ import annotations  # polars is imported on first use

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trackside.errors import InputError
from trackside.files import in_memory
from trackside.files.columns import (
    LINE,
    Block,
    Format,
    MalformedLine,
    Oddity,
    OddityCounts,
    OddityKind,
    read_block,
)
from trackside.files.corpora import Corpus
from trackside.files.in_memory import DataFrameLike, column
from trackside.files.numbers import read_grades
from trackside.files.plain import PlainBlock
from trackside.files.rows import RowsByTopic, TopicRows, may_repeat_docnos, rows_of, topics_of
from trackside.files.streams import MAX_BYTES, Blocks, Source
from trackside.files.text_columns import TextColumn
from trackside.lazy_polars import pl
from trackside.text.counted import counted
from trackside.text.shown import Outline

# trec_eval skips # lines of qrels, but not two in a row; a blank line or a fifth column ends it.
_QRELS = Format(("topic", "iteration", "docno", "grade"), has_comments=True)
_PRELS = Format(("topic", "iteration", "docno", "stratum", "grade"), has_comments=True)

_TOPIC, _DOCNO, _STRATUM = 0, 2, 3

HYBRID = "hybrid-qrels"  # the first word of a file of grades and a model's chances


class Qrels(RowsByTopic[int]):
    """A mapping of topics to grades by docno. Equal qrels have equal grades.

    ``topics`` are in byte order. Judgments of topic i are rows ``bounds[i]`` to ``bounds[i + 1]`` of
    ``docnos`` (String, in file order) and ``grades`` (int64). A negative grade means in the pool but not
    judged. ``strata`` (int64) is None unless the file is prels, from a sampled pool. ``corpus`` is what the
    qrels were restricted to: runs are evaluated within it.
    """

    def __init__(
        self,
        rows: TopicRows,
        docnos: TextColumn,
        grades: NDArray[np.int64],
        *,
        strata: NDArray[np.int64] | None = None,
        name: str = "qrels",
        oddities: Sequence[Oddity] = (),
    ) -> None:
        self.name = name
        self.corpus: Corpus | None = None
        self.oddities = tuple(oddities)
        self.topics, self.bounds, grouping = rows.grouped()
        if grouping is not None:
            docnos, grades = docnos.take(grouping), grades[grouping]
            strata = None if strata is None else strata[grouping]
        self.docno_texts, self.grades, self.strata = docnos, grades, strata
        self.topic_of_row = topics_of(self.bounds)
        self._refuse_duplicates()

    @classmethod
    def from_file(
        cls, source: Source, *, name: str | None = None, is_sampled: bool = False, max_bytes: int = MAX_BYTES
    ) -> Self:
        """Read a qrels file (topic iteration docno grade) as trec_eval 10 does, packed or not.

        ``is_sampled`` reads prels: five columns, the fourth is the document's stratum; grade -1 means not
        sampled. Raises InputError.
        """
        blocks = Blocks(source, max_bytes=max_bytes)
        form = _PRELS if is_sampled else _QRELS
        oddities = OddityCounts()
        topics = TopicRows()
        parts = list(_parts(blocks, form, topics, oddities))
        if not parts:
            raise InputError(
                f"{blocks.name}: no judgments in it. Qrels have lines such as 'topic 0 docno 1'.",
                code="not-qrels",
            )
        if blocks.is_marked:
            oddities.add(OddityKind.BYTE_ORDER_MARK, 1, 1)
        strata = [part.strata for part in parts if part.strata is not None]
        return cls(
            topics,
            TextColumn.joined([part.docnos for part in parts]),
            np.concatenate([part.grades for part in parts]),
            strata=np.concatenate(strata) if strata else None,
            name=name or blocks.name,
            oddities=oddities.found(),
        )

    @classmethod
    def from_dict(cls, judgments: Mapping[str, Mapping[str, int]], *, name: str = "qrels") -> Self:
        """Create from grades by topic and docno. Raises entry-unfit, duplicate-judgment."""
        docnos = in_memory.names([docno for pairs in judgments.values() for docno in pairs], "docno")
        return cls(
            TopicRows.of_counts(
                in_memory.names(list(judgments), "topic"), [len(pairs) for pairs in judgments.values()]
            ),
            TextColumn.of_series(pl.Series("docno", docnos, pl.String)),
            in_memory.grades(judgments),
            name=name,
        )

    @classmethod
    def from_frame(
        cls,
        frame: DataFrameLike,
        *,
        topic: str = "topic",
        docno: str = "docno",
        grade: str = "grade",
        name: str = "qrels",
    ) -> Self:
        """From a data frame, of polars or pandas, with the three named columns.

        Raises column-unfit, duplicate-judgment.
        """
        return cls(
            TopicRows.of_column(column(frame, topic, pl.String)),
            TextColumn.of_series(column(frame, docno, pl.String)),
            column(frame, grade, pl.Int64).to_numpy(),
            name=name,
        )

    def __getitem__(self, topic: str) -> dict[str, int]:
        """Grades by docno of one topic."""
        rows = rows_of(topic, self.topics, self.bounds)
        return dict(zip(self.docnos[rows].to_list(), self.grades[rows].tolist(), strict=True))

    def _shown(self) -> Outline:
        line = f"{self.name}: {counted(self.pair_count, 'judgment')} of {counted(len(self), 'topic')}"
        grades = zip(*np.unique(self.grades, return_counts=True), strict=True)
        return Outline(line, ("grade", "documents"), [(f"{grade}", f"{count:,}") for grade, count in grades])

    def within(self, corpus: Corpus) -> Qrels:
        """The judgments of its documents, called as "people/small". Raises corpus-not-judged."""
        rows = np.flatnonzero(corpus.holds(self.docno_texts))
        if not len(rows):
            why = f"{corpus.name}: {self.name} grades no document of it. Spell the docnos alike."
            raise InputError(why, code="corpus-not-judged")
        counts = np.bincount(self.topic_of_row[rows], minlength=len(self.topics))
        part = Qrels(
            TopicRows.of_counts(self.topics, counts.tolist()),
            self.docno_texts.take(rows),
            self.grades[rows],
            strata=None if self.strata is None else self.strata[rows],
            name=f"{self.name}/{corpus.name}",
        )
        part.corpus = corpus
        return part

    @property
    def pair_count(self) -> int:
        """Number of judgments over all topics."""
        return len(self.grades)

    @property
    def sha256(self) -> str:
        """Hash of the judgments as a file of 'topic 0 docno grade' lines, topics and docnos in byte order."""
        topics, (first, *others) = self.topic_of_row, self.docno_texts.sort_keys()
        order = np.lexsort((first, topics))
        if ((np.diff(topics[order]) == 0) & (np.diff(first[order]) == 0)).any():
            # The first eight bytes order most docnos that start with random digits.
            order = np.lexsort([*reversed(others), first, topics])
        docnos, grades = self.docno_texts.take(order).to_list(), self.grades[order].tolist()
        digest = hashlib.sha256()
        bounds = self.bounds.tolist()
        for topic, start, stop in zip(self.topics, bounds[:-1], bounds[1:], strict=True):
            pairs = zip(docnos[start:stop], grades[start:stop], strict=True)
            start_of_line = f"{topic} 0 "
            digest.update("".join([f"{start_of_line}{docno} {grade}\n" for docno, grade in pairs]).encode())
        return digest.hexdigest()

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Grades by topic and docno."""
        return dict(self)

    def to_frame(self) -> pl.DataFrame:
        """One row per judgment: topic, docno and grade, and the stratum where there are strata."""
        topic = pl.Series("topic", self.topics, pl.String).gather(self.topic_of_row)
        columns = [topic, self.docnos.alias("docno"), pl.Series("grade", self.grades)]
        strata = [] if self.strata is None else [pl.Series("stratum", self.strata)]
        return pl.DataFrame([*columns, *strata])

    def _refuse_duplicates(self) -> None:
        if not may_repeat_docnos(self.topic_of_row, self.docno_texts):
            return
        pairs = pl.DataFrame({"topic": self.topic_of_row, "docno": self.docnos})
        twice = pairs.filter(pl.struct("topic", "docno").is_duplicated())
        if twice.height:
            topic, docno = self.topics[twice["topic"][0]], twice["docno"][0]
            raise InputError(
                f"{self.name}: topic {topic} has two grades for {docno} (the iteration column does not "
                "distinguish judgments). Keep one line per pair.",
                code="duplicate-judgment",
            )


@dataclass(frozen=True, slots=True)
class _Part:
    """The judgments of a block."""

    docnos: TextColumn
    grades: NDArray[np.int64]
    strata: NDArray[np.int64] | None


def _parts(blocks: Blocks, form: Format, topics: TopicRows, oddities: OddityCounts) -> Iterator[_Part]:
    """The judgments of each block that has some; their topics are added to ``topics``."""
    line = 1
    for raw in blocks:
        plain = PlainBlock.of(raw, len(form.columns))
        part = plain and _plain(plain, form, topics)
        if plain and part:
            line += plain.line_count
            yield part
            continue
        block = read_block(raw, form, line)
        line += block.line_count
        part = _typed(block, form, blocks.name, oddities)
        if len(part.grades):
            topics.add(block.frame["topic"])
            yield part


def _plain(block: PlainBlock, form: Format, topics: TopicRows) -> _Part | None:
    """The judgments of a plain block; None if it has grades or names that only ``_typed`` reads."""
    docnos, names, grades = block.texts(_DOCNO), block.texts(_TOPIC), block.grades(len(form.columns) - 1)
    strata = block.grades(_STRATUM) if "stratum" in form.columns else None
    if docnos is None or names is None or grades is None or ("stratum" in form.columns and strata is None):
        return None
    topics.add_texts(names)
    return _Part(docnos, grades, strata)


def _typed(block: Block, form: Format, name: str, oddities: OddityCounts) -> _Part:
    _refuse(block, form, name)
    for kind, lines in (
        (OddityKind.COMMENT_LINE, block.comments),
        (OddityKind.CARRIAGE_RETURN, block.windows),
        (OddityKind.NOT_UTF8, block.not_utf8),
    ):
        oddities.add(kind, len(lines), int(lines[0]) if len(lines) else 0)
    grades, odd = read_grades(block.frame["grade"])
    if len(odd):
        oddities.add(OddityKind.GRADE_PREFIX, len(odd), block.frame[LINE][int(odd[0])])
    strata = _strata(block.frame, name) if "stratum" in form.columns else None
    return _Part(TextColumn.of_series(block.frame["docno"]), grades, strata)


def _strata(frame: pl.DataFrame, name: str) -> NDArray[np.int64]:
    strata, odd = read_grades(frame["stratum"])
    if len(odd):
        line, text = frame[LINE][int(odd[0])], frame["stratum"][int(odd[0])]
        raise MalformedLine(
            f"{name}, line {line:,}: the stratum '{text}' is not a whole number. "
            "Prels have lines such as 'topic 0 docno 2 -1'."
        )
    return strata


def _refuse(block: Block, form: Format, name: str) -> None:
    if len(block.nul):
        raise MalformedLine(f"{name}, line {block.nul[0]:,}: a NUL byte. Save the file as plain UTF-8 text.")
    if block.odd and block.odd[0].text.startswith(HYBRID):
        raise InputError(
            f"{name}: hybrid qrels, which hold a model's chances beside people's grades, are no qrels. Use "
            "them with trackside score --hybrid FILE.",
            code="hybrid-qrels",
        )
    wanted = " ".join(form.columns)
    faults = [
        (line.number, f"{line.columns} where {len(form.columns)} are needed ({wanted}): '{line.text}'.")
        for line in block.odd[:1]
    ]
    faults += [(line, "a blank line. Remove it.") for line in block.blank[:1].tolist()]
    in_a_row = block.comments[1:][np.diff(block.comments) == 1]
    faults += [
        (line, "a second comment line in a row, which trec_eval reads as a judgment. Keep one at most.")
        for line in in_a_row[:1].tolist()
    ]
    if faults:
        line, fault = min(faults)
        raise MalformedLine(f"{name}, line {line:,}: {fault}")
