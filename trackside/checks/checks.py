"""The check of a run file, the same at upload and on the command line.

The file is read once. Its rows are sorted by topic on disk and examined a few topics at a time, so memory use
is bounded for any file. Reading stops at twice the size of the largest valid run, and not before
the least limits below, which are enough of any file to diagnose it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from trackside.checks.codes import FaultCode, Severity
from trackside.checks.docnos import DocnoCheck, DuplicateCheck
from trackside.checks.fault_collector import EXAMPLES, SHOWN_CHARACTERS, FaultCollector
from trackside.checks.orders import OrderCheck
from trackside.checks.spool import PackedRankings, RowSpool
from trackside.checks.tags import TagUses
from trackside.checks.topics import TopicCounts
from trackside.checks.verdict import Example, Fault, FileSummary, Verdict
from trackside.errors import InputError
from trackside.files import LineTooLong, Rankings, TooManyBytes, UnreadableFile
from trackside.files.columns import Block, Format, read_blocks
from trackside.files.numbers import read_scores
from trackside.files.rows import TopicRows
from trackside.files.run_parts import RUN_COLUMNS
from trackside.files.streams import MAX_BYTES, Blocks, Source
from trackside.files.text_columns import TextColumn

_LEAST_LINES = 1_000_000
_BYTES_A_LINE = 256  # unpacked, for each of these lines
_LINE_BYTES = 4096  # six columns of 255 characters fit
_LEAST_ROWS = 20_000  # results of a topic that are examined; further ones are only counted
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


def check_run(
    source: Source,
    *,
    topics: Collection[str],
    docnos: Callable[[Collection[str]], set[str]] | None = None,
    near: Callable[[Collection[str]], Mapping[str, str]] | None = None,
    outside: Callable[[Collection[str]], set[str]] | None = None,
    tag: str | None = None,
    max_per_topic: int = 1000,
    tag_max: int = 50,
    is_tag_unavailable: Callable[[str], bool] | None = None,
    has_run_left: Callable[[str], bool] | None = None,
    max_bytes: int = MAX_BYTES,
    on_ranking: Callable[[str, str, bytes], None] | None = None,
    seed: int = 0,
) -> Verdict:
    """Read a run strictly and report all its faults.

    ``source`` is a path, bytes or a binary stream, packed or not. ``topics`` are the task's topics.
    ``docnos`` takes distinct docnos of the file (a String series of about 250,000 at most) and returns those
    that the collection lacks; None skips this check. ``near`` maps unknown docnos to the ones probably meant.
    ``outside`` returns those of the collection that are not in the task's corpus, None if it has none.
    ``tag`` is the declared tag. ``is_tag_unavailable`` returns whether another team's run has a tag,
    ``has_run_left`` whether the team may submit a run with it; both are called last. ``max_bytes`` limits the
    unpacked size. ``on_ranking`` is called for each topic of an accepted run with a tuple of
    ``Rankings.packed``. ``seed`` seeds the docno hashes: a site must use one that nobody can guess. An
    unreadable file is a fault too: no content of the file raises an exception.
    """
    most_lines = max(2 * len(set(topics)) * max_per_topic, _LEAST_LINES)
    most_bytes = min(max_bytes, most_lines * _BYTES_A_LINE)
    blocks = Blocks(source, max_bytes=most_bytes, line_bytes=_LINE_BYTES)
    counts = TopicCounts(topics, max(2 * max_per_topic, _LEAST_ROWS))
    with RowSpool(counts.code_count) as spool, PackedRankings() as packed:
        reading = RunReader(blocks, counts, spool, most_lines)
        reading.read()
        faults = reading.faults
        if not reading.line_count and not faults.of(Severity.ERROR):
            faults.add(Fault(FaultCode.EMPTY_FILE, 1))
        faults.add(*reading.tags.faults(tag, tag_max))
        faults.add(*counts.faults(max_per_topic, is_whole=reading.is_whole))
        checks = DocnoCheck(docnos, seed), DocnoCheck(outside, seed, FaultCode.OUTSIDE_CORPUS)
        _check_rows(faults, spool, counts.names, checks, packed if on_ranking else None)
        for check, spellings in zip(checks, (near, None), strict=True):
            faults.add(check.unknown(spool, counts.names, spellings))
        faults.add(*reading.tags.conflicts(tag, is_tag_unavailable, has_run_left))
        summary = _summary(reading, blocks, counts, checks[0], tag)
        verdict = Verdict(faults.of(Severity.ERROR), faults.of(Severity.WARNING), summary).bounded()
        if verdict.is_accepted and on_ranking is not None:
            for topic, names, scores in packed:
                on_ranking(topic, names, scores)
    return verdict


def _check_rows(
    faults: FaultCollector,
    spool: RowSpool,
    names: list[str],
    docno_checks: Sequence[DocnoCheck],
    packed: PackedRankings | None,
) -> None:
    """Check docnos and orders a few topics at a time, and pack the rankings of a run without errors."""
    duplicates, orders = DuplicateCheck(), OrderCheck()
    for batch in spool.batches():
        for check in docno_checks:
            check.add(batch["docno"])
        duplicates.add(batch)
        batch = batch.with_columns(pl.Series("topic", names, pl.String).gather(batch["code"]))
        rankings = _rankings(batch)
        orders.add(batch, rankings)
        if packed and not faults.of(Severity.ERROR):
            packed.add(rankings)
    for check in docno_checks:
        check.compare()
    faults.add(duplicates.fault(spool, names), *orders.faults())


def _summary(
    reading: RunReader, blocks: Blocks, counts: TopicCounts, docno_check: DocnoCheck, tag: str | None
) -> FileSummary:
    return FileSummary(
        tag=reading.tags.main(tag)[:SHOWN_CHARACTERS],
        line_count=reading.line_count,
        topic_count=counts.known_count,
        expected_topic_count=counts.task_count,
        docno_count=docno_check.distinct_count,
        known_count=docno_check.known_count,
        lowest_score=reading.lowest,
        highest_score=reading.highest,
        is_descending=reading.is_descending,
        q0_count=reading.q0_count,
        packing=blocks.packing,
        byte_count=blocks.byte_count,
    ).with_results(counts.results)


def _rankings(batch: pl.DataFrame) -> Rankings:
    """Rankings of the results that have a score."""
    batch = batch.filter(pl.col("score").is_finite())
    return Rankings(
        "",
        TopicRows.of_column(batch["topic"]),
        TextColumn.of_series(batch["docno"]),
        batch["score"].to_numpy(),
    )
