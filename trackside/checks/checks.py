"""The check of a run file, the same at upload and on the command line.

The file is read once. Its rows are sorted by topic on disk and examined a few topics at a time, so memory use
is bounded for any file. Reading stops at the limits of ``bounds``.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import polars as pl

from trackside.checks.bounds import LINE_BYTES, bounds_of
from trackside.checks.codes import FaultCode, Severity
from trackside.checks.fault_collector import SHOWN_CHARACTERS
from trackside.checks.orders import OrderCheck
from trackside.checks.packed import PackedRankings
from trackside.checks.pairs import DocnoCheck, DuplicateCheck
from trackside.checks.reading import RunReader
from trackside.checks.spool import RowSpool
from trackside.checks.topics import TopicCounts
from trackside.checks.verdict import Fault, FileSummary, Verdict
from trackside.files import Rankings
from trackside.files.streams import MAX_BYTES, Blocks, Source
from trackside.files.text_columns import TextColumn
from trackside.files.topics import TopicRows


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for a run, and the callables that look up its docnos and its tag."""

    topics: Collection[str]
    docnos: Callable[[Collection[str]], set[str]] | None = None
    near: Callable[[Collection[str]], Mapping[str, str]] | None = None
    tag: str | None = None
    max_per_topic: int = 1000
    tag_max: int = 50
    is_tag_unavailable: Callable[[str], bool] | None = None
    has_run_left: Callable[[str], bool] | None = None


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
    rules = Rules(topics, docnos, near, tag, max_per_topic, tag_max, is_tag_unavailable, has_run_left)
    bounds = bounds_of(len(set(topics)), max_per_topic)
    blocks = Blocks(source, max_bytes=min(max_bytes, bounds.byte_count), line_bytes=LINE_BYTES)
    counts = TopicCounts(topics, bounds.row_count)
    with RowSpool(counts.code_count) as spool, PackedRankings() as packed:
        reading = RunReader(blocks, counts, spool, bounds.line_count)
        kept = packed if on_ranking else None
        verdict = _Check(rules, blocks, counts, spool, kept, reading, seed).verdict()
        if verdict.is_accepted and on_ranking is not None:
            for topic, names, scores in packed:
                on_ranking(topic, names, scores)
    return verdict


@dataclass(slots=True)
class _Check:
    """State of one check."""

    rules: Rules
    blocks: Blocks
    counts: TopicCounts
    spool: RowSpool
    packed: PackedRankings | None
    reading: RunReader
    seed: int

    def verdict(self) -> Verdict:
        reading, collected, rules = self.reading, self.reading.faults, self.rules
        reading.read()
        if not reading.line_count and not collected.of(Severity.ERROR):
            collected.add(Fault(FaultCode.EMPTY_FILE, 1))
        for fault in reading.tags.faults(rules.tag, rules.tag_max):
            collected.add(fault)
        for fault in self.counts.faults(rules.max_per_topic, is_whole=reading.is_whole):
            collected.add(fault)
        docno_check = self._check_rows()
        for fault in reading.tags.conflicts(rules.tag, rules.is_tag_unavailable, rules.has_run_left):
            collected.add(fault)
        errors, warnings = collected.of(Severity.ERROR), collected.of(Severity.WARNING)
        return Verdict(errors, warnings, self._summary(docno_check)).bounded()

    def _check_rows(self) -> DocnoCheck:
        collected, names = self.reading.faults, self.counts.names
        docno_check = DocnoCheck(self.rules.docnos, self.seed)
        duplicates, orders = DuplicateCheck(), OrderCheck()
        for batch in self.spool.batches():
            docno_check.add(batch["docno"])
            duplicates.add(batch)
            batch = batch.with_columns(pl.Series("topic", names, pl.String).gather(batch["code"]))
            rankings = _rankings(batch)
            orders.add(batch, rankings)
            if self.packed and not collected.of(Severity.ERROR):
                self.packed.add(rankings)
        docno_check.compare()
        collected.add(docno_check.unknown(self.spool, names, self.rules.near))
        collected.add(duplicates.fault(self.spool, names))
        for fault in orders.faults():
            collected.add(fault)
        return docno_check

    def _summary(self, docno_check: DocnoCheck) -> FileSummary:
        reading = self.reading
        return FileSummary(
            tag=reading.tags.main(self.rules.tag)[:SHOWN_CHARACTERS],
            line_count=reading.line_count,
            topic_count=self.counts.known_count,
            expected_topic_count=self.counts.task_count,
            docno_count=docno_check.distinct_count,
            known_count=docno_check.known_count,
            lowest_score=reading.lowest,
            highest_score=reading.highest,
            is_descending=reading.is_descending,
            q0_count=reading.q0_count,
            packing=self.blocks.packing,
            byte_count=self.blocks.byte_count,
        ).with_results(self.counts.results)


def _rankings(batch: pl.DataFrame) -> Rankings:
    """Rankings of the results that have a score."""
    batch = batch.filter(pl.col("score").is_finite())
    return Rankings(
        "",
        TopicRows.of_column(batch["topic"]),
        TextColumn.of_series(batch["docno"]),
        batch["score"].to_numpy(),
    )
