"""Read the blocks of a run file: plain blocks by whole-array operations, any other by columns."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from trackside.files.columns import LINE, Block, Format, MalformedLine, OddityCounts, OddityKind, read_block
from trackside.files.numbers import read_scores
from trackside.files.plain import PlainBlock
from trackside.files.rows import TopicRows
from trackside.files.streams import Blocks
from trackside.files.text_columns import TextColumn

# The syntax of a tag, except for its length.
SOUND_TAG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
RUN_COLUMNS = ("topic", "q0", "docno", "rank", "score", "tag")
_TOPIC, _DOCNO, _SCORE, _TAG = 0, 2, 4, 5
# trec_eval skips blank lines and # lines in runs and reads six columns of each other line.
_LENIENT = Format(RUN_COLUMNS, has_comments=True, is_comment_indented=True, is_overlong_allowed=True)


class RankingReader:
    """Reads a run file in file order. ``tag`` is that of the last line.

    Topics, scores and oddities grow as ``docnos`` is consumed.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._scores = [np.empty(0)]
        self.topics = TopicRows()
        self.oddities = OddityCounts()
        self.tag = ""
        self._first_tag: str | None = None

    @property
    def scores(self) -> NDArray[np.float64]:
        """The score of each docno."""
        return np.concatenate(self._scores)

    def docnos(self) -> Iterator[TextColumn]:
        """Yield the docnos of each block. Raises MalformedLine."""
        line = 1
        for raw in self._blocks:
            plain = PlainBlock.of(raw, len(RUN_COLUMNS))
            docnos = plain and self._read_plain(plain, line)
            if plain and docnos:
                line += plain.line_count
                yield docnos
            else:
                block = read_block(raw, _LENIENT, line)
                line += block.line_count
                yield self._read_any(block)

    def _read_plain(self, block: PlainBlock, line: int) -> TextColumn | None:
        """The docnos of a plain block; None if it has scores or names that only ``_read_any`` reads."""
        scores, topics, docnos = block.scores(_SCORE), block.texts(_TOPIC), block.texts(_DOCNO)
        if scores is None or topics is None or docnos is None:
            return None
        self.topics.add_texts(topics)
        self._scores.append(scores)
        self._first_tag = self._first_tag or block.field(0, _TAG)
        self._count(OddityKind.TAG_CHANGES, block.lines_without(self._first_tag) + line)
        self.tag = block.field(-1, _TAG)
        return docnos

    def _read_any(self, block: Block) -> TextColumn:
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
        if frame.height:
            self.topics.add(frame["topic"])
            self._first_tag = self._first_tag or frame["tag"][0]
            self._count(OddityKind.TAG_CHANGES, lines[(frame["tag"] != self._first_tag).to_numpy()])
            self.tag = frame["tag"][-1]
        self._scores.append(without_nan(scores))
        return TextColumn.of_series(frame["docno"])

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
