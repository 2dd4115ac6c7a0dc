"""Read the blocks of a run file: plain blocks by whole-array operations, any other by columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from trackside.files.columns import LINE, Format, MalformedLine, read_block
from trackside.files.numbers import read_scores
from trackside.files.oddities import OddityCounts, OddityKind
from trackside.files.plain import PlainBlock, stretches
from trackside.files.text_columns import TextColumn
from trackside.files.topics import TopicRows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from trackside.files.columns import Block
    from trackside.files.streams import Blocks

RUN_COLUMNS = ("topic", "q0", "docno", "rank", "score", "tag")
_TOPIC, _DOCNO, _SCORE, _TAG = 0, 2, 4, 5
# trec_eval skips blank lines and # lines in runs and reads six columns of each other line.
_LENIENT = Format(RUN_COLUMNS, has_comments=True, is_comment_indented=True, is_overlong_allowed=True)


@dataclass(frozen=True, slots=True)
class BlockResults:
    """Results of a block in file order: docnos, scores, and the tag of the last line."""

    docnos: TextColumn
    scores: NDArray[np.float64]
    tag: str


class RankingReader:
    """Reads the blocks of a run file. ``topics`` and ``oddities`` grow as ``parts`` is consumed."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._tag: str | None = None  # of the first line
        self.topics = TopicRows()
        self.oddities = OddityCounts()

    def parts(self) -> Iterator[BlockResults]:
        """Yield the results of each block that has some. Raises MalformedLine."""
        line = 1
        for raw in self._blocks:
            for start, stop in stretches(raw):
                plain = PlainBlock.of(raw, len(RUN_COLUMNS), start, stop)
                part = plain and self._read_plain(plain, line)
                if plain and part:
                    line += plain.line_count
                    yield part
                    continue
                block = read_block(raw[start:stop], _LENIENT, line)
                line += block.line_count
                if (part := self._read_any(block)).scores.size:
                    yield part

    def _read_plain(self, block: PlainBlock, line: int) -> BlockResults | None:
        """The results of a plain block; None if it has scores or names that only ``_read_any`` reads."""
        scores, topics, docnos = block.scores(_SCORE), block.texts(_TOPIC), block.texts(_DOCNO)
        if scores is None or topics is None or docnos is None:
            return None
        self.topics.add_texts(topics)
        self._tag = self._tag or block.field(0, _TAG)
        self._count(OddityKind.TAG_CHANGES, block.lines_without(self._tag) + line)
        return BlockResults(docnos.hashed(), scores, block.field(-1, _TAG))

    def _read_any(self, block: Block) -> BlockResults:
        self._refuse(block)
        for kind, lines in (
            (OddityKind.BLANK_LINE, block.blank),
            (OddityKind.COMMENT_LINE, block.comments),
            (OddityKind.EXTRA_COLUMNS, block.overlong),
            (OddityKind.CARRIAGE_RETURN, block.windows),
            (OddityKind.NOT_UTF8, block.not_utf8),
        ):
            self._count(kind, lines)
        frame = block.frame
        scores, odd = read_scores(frame["score"])
        is_nan = np.isnan(scores[odd])
        lines = frame[LINE].to_numpy()
        self._count(OddityKind.SCORE_NOT_DECIMAL, lines[odd[~is_nan]])
        self._count(OddityKind.SCORE_NAN, lines[odd[is_nan]])
        if not frame.height:
            return BlockResults(TextColumn.of_series(frame["docno"]), scores, "")
        self.topics.add(frame["topic"])
        self._tag = self._tag or frame["tag"][0]
        self._count(OddityKind.TAG_CHANGES, lines[(frame["tag"] != self._tag).to_numpy()])
        return BlockResults(TextColumn.of_series(frame["docno"]), without_nan(scores), frame["tag"][-1])

    def _refuse(self, block: Block) -> None:
        if len(block.nul):
            raise MalformedLine(
                f"{self._blocks.name}, line {block.nul[0]:,}: a NUL byte. Save the file as plain UTF-8 text."
            )
        if block.odd:
            line = block.odd[0]
            raise MalformedLine(
                f"{self._blocks.name}, line {line.number:,}: {line.columns} where 6 are needed "
                f"(topic Q0 docno rank score tag): '{line.text}'."
            )

    def _count(self, kind: OddityKind, lines: NDArray[np.int64]) -> None:
        self.oddities.add(kind, len(lines), int(lines[0]) if len(lines) else 0)


def without_nan(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores with minus infinity for NaN, so that it comes last.

    The place of NaN in trec_eval's order depends on its sort.
    """
    is_nan = np.isnan(scores)
    return np.where(is_nan, -np.inf, scores) if is_nan.any() else scores
