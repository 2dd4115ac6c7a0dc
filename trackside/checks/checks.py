"""The check of a run file, the same at upload and on the command line.

The file is read once. Its rows are sorted by topic on disk and examined a few topics at a time, so memory use
is bounded for any file. Reading stops at twice the size of the largest valid run, and not before
the least limits below, which are enough of any file to diagnose it.
"""

from collections.abc import Callable, Collection, Mapping

import polars as pl

from trackside.checks.codes import FaultCode, Severity
from trackside.checks.docnos import DocnoCheck, DuplicateCheck
from trackside.checks.fault_collector import SHOWN_CHARACTERS, FaultCollector
from trackside.checks.orders import OrderCheck
from trackside.checks.reading import RunReader
from trackside.checks.spool import PackedRankings, RowSpool
from trackside.checks.topics import TopicCounts
from trackside.checks.verdict import Fault, FileSummary, Verdict
from trackside.files import Rankings
from trackside.files.rows import TopicRows
from trackside.files.streams import MAX_BYTES, Blocks, Source
from trackside.files.text_columns import TextColumn

_LEAST_LINES = 1_000_000
_BYTES_A_LINE = 256  # unpacked, for each of these lines
_LINE_BYTES = 4096  # six columns of 255 characters fit
_LEAST_ROWS = 20_000  # results of a topic that are examined; further ones are only counted


def check_run(
    source: Source,
    *,
    topics: Collection[str],
    docnos: Callable[[Collection[str]], set[str]] | None = None,
    near: Callable[[Collection[str]], Mapping[str, str]] | None = None,
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
        docno_check = DocnoCheck(docnos, seed)
        _check_rows(faults, spool, counts.names, docno_check, packed if on_ranking else None)
        faults.add(docno_check.unknown(spool, counts.names, near))
        faults.add(*reading.tags.conflicts(tag, is_tag_unavailable, has_run_left))
        summary = _summary(reading, blocks, counts, docno_check, tag)
        verdict = Verdict(faults.of(Severity.ERROR), faults.of(Severity.WARNING), summary).bounded()
        if verdict.is_accepted and on_ranking is not None:
            for topic, names, scores in packed:
                on_ranking(topic, names, scores)
    return verdict


def _check_rows(
    faults: FaultCollector,
    spool: RowSpool,
    names: list[str],
    docno_check: DocnoCheck,
    packed: PackedRankings | None,
) -> None:
    """Check docnos and orders a few topics at a time, and pack the rankings of a run without errors."""
    duplicates, orders = DuplicateCheck(), OrderCheck()
    for batch in spool.batches():
        docno_check.add(batch["docno"])
        duplicates.add(batch)
        batch = batch.with_columns(pl.Series("topic", names, pl.String).gather(batch["code"]))
        rankings = _rankings(batch)
        orders.add(batch, rankings)
        if packed and not faults.of(Severity.ERROR):
            packed.add(rankings)
    docno_check.compare()
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
