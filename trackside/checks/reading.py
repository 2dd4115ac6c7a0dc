"""One pass over a run file: finds faults of single lines and spools rows for the checks by topic."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from trackside.checks.codes import FaultCode
from trackside.checks.fault_collector import EXAMPLES, FaultCollector
from trackside.checks.spool import RowSpool
from trackside.checks.tags import TagUses
from trackside.checks.topics import TopicCounts
from trackside.checks.verdict import Example, Fault
from trackside.errors import InputError
from trackside.files import LineTooLong, TooManyBytes, UnreadableFile
from trackside.files.columns import Block, Format, read_blocks
from trackside.files.numbers import read_scores
from trackside.files.run_parts import RUN_COLUMNS
from trackside.files.streams import Blocks

_STRICT = Format(RUN_COLUMNS, has_comments=False)


class TooManyLines(InputError):
    """The file has more lines than any run of the task can have."""


class RunReader:
    """Reads blocks, spools the rows to examine and records faults of single lines.

    ``is_whole`` is False if reading stopped before the end, so missing topics are unknown. Counts are of
    lines with six columns; scores are None if no line has a finite one.
    """

    def __init__(self, blocks: Blocks, topics: TopicCounts, spool: RowSpool, max_lines: int) -> None:
        self._blocks = blocks
        self._topics = topics
        self._spool = spool
        self._max_lines = max_lines
        self.is_whole = True
        self.is_descending = True
        self.faults = FaultCollector()
        self.tags = TagUses()
        self.line_count = 0
        self.q0_count = 0
        self.lowest: float | None = None
        self.highest: float | None = None
        self._last: tuple[str, float] | None = None

    def read(self) -> None:
        """Read to the end or to the first read error."""
        line_count = 0
        try:
            for block in read_blocks(self._blocks, _STRICT):
                self._note_lines(block)
                if block.frame.height:
                    self._take(block.frame)
                line_count += block.line_count
                if line_count > self._max_lines:
                    raise TooManyLines(
                        f"More than {self._max_lines:,} lines, far more than a run of this task can have."
                    )
        except (UnreadableFile, TooManyBytes, LineTooLong, TooManyLines) as error:
            self._note_unread(error)
        if self._blocks.packing:
            self.faults.add(Fault(FaultCode.PACKED, 1, note=f"Packed with {self._blocks.packing}."))
        if self._blocks.is_marked:
            self.faults.add(Fault(FaultCode.BYTE_ORDER_MARK, 1, 1))

    def _take(self, frame: pl.DataFrame) -> None:
        frame = self._topics.coded(frame)
        self.line_count += frame.height
        self.tags.add(frame)
        others = frame.filter(pl.col("q0") != "Q0")
        self.q0_count += frame.height - others.height
        self.faults.add_rows(FaultCode.Q0_TEXT, others, "q0")
        ranks = frame["rank"].cast(pl.Int64, strict=False)
        self.faults.add_rows(FaultCode.RANK_NOT_WHOLE, frame.filter(ranks.is_null()), "rank")
        scores, odd = read_scores(frame["score"])
        scores[odd] = np.nan
        self.faults.add_rows(FaultCode.SCORE_NOT_FINITE, frame[odd], "score")
        self._note_scores(frame["topic"], scores)
        example = frame.select(pl.concat_str("q0", "rank", "score", separator=" ")).to_series()
        rows = frame.select(
            "line", "code", "docno", ranks.alias("rank"), pl.Series("score", scores), example.alias("example")
        )
        examined = self._topics.kept(rows)
        if examined.height:
            self._spool.add(examined)

    def _note_scores(self, topics: pl.Series, scores: NDArray[np.float64]) -> None:
        finite = scores[np.isfinite(scores)]
        if len(finite):
            low, high = float(finite.min()), float(finite.max())
            self.lowest = low if self.lowest is None else min(low, self.lowest)
            self.highest = high if self.highest is None else max(high, self.highest)
        is_same = (topics == topics.shift(1)).fill_null(value=False).to_numpy()[1:]
        is_falling = bool((scores[1:][is_same] <= scores[:-1][is_same]).all())
        if self._last is not None and self._last[0] == topics[0]:
            is_falling &= bool(scores[0] <= self._last[1])
        self.is_descending &= is_falling
        self._last = (topics[-1], float(scores[-1]))

    def _note_lines(self, block: Block) -> None:
        if block.odd:
            examples = tuple(Example(line.number, "", line.text, "", line.columns) for line in block.odd)
            self.faults.add(
                Fault(FaultCode.COLUMN_COUNT, block.odd_count, block.odd[0].number, examples=examples)
            )
        for code, lines in (
            (FaultCode.NUL_BYTE, block.nul),
            (FaultCode.NOT_UTF8, block.not_utf8),
            (FaultCode.WINDOWS_LINE_ENDS, block.windows),
            (FaultCode.BLANK_LINES, block.blank),
        ):
            examples = tuple(Example(line, "", "", "") for line in lines[:EXAMPLES].tolist())
            first = int(lines[0]) if len(lines) else None
            self.faults.add(Fault(code, len(lines), first, examples=examples))

    def _note_unread(self, error: InputError) -> None:
        codes: dict[type, FaultCode] = {
            UnreadableFile: FaultCode.UNREADABLE,
            TooManyBytes: FaultCode.TOO_LARGE,
            TooManyLines: FaultCode.TOO_LARGE,
            LineTooLong: FaultCode.LINE_TOO_LONG,
        }
        self.is_whole = False
        self.faults.add(Fault(codes[type(error)], 1, note=str(error)))
