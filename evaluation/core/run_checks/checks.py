"""The check of a run file, the same at upload and on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from evaluation.core.run_checks.codes import FaultCode, Severity
from evaluation.core.run_checks.findings import EXAMPLES, Findings, rows_fault
from evaluation.core.run_checks.lists import DocnoCheck, TopicCheck
from evaluation.core.run_checks.orders import order_faults
from evaluation.core.run_checks.tags import TagUses
from evaluation.core.run_checks.verdict import Example, Fault, Summary, Verdict
from evaluation.core.trec_files import LineTooLong, Rankings, TooManyBytes, UnreadableFile
from evaluation.core.trec_files.columns import Block, Format, read_blocks
from evaluation.core.trec_files.numbers import read_scores
from evaluation.core.trec_files.rankings import RUN_COLUMNS
from evaluation.core.trec_files.streams import MAX_BYTES, Blocks, Source
from evaluation.core.trec_files.topics import TopicRows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from numpy.typing import NDArray

_STRICT = Format(RUN_COLUMNS, has_comments=False)
_KEPT = ("line", "topic", "q0", "docno", "rank", "score")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run has to keep to."""

    topics: Collection[str]
    tag: str | None = None
    max_per_topic: int = 1000
    tag_max: int = 50
    is_tag_taken: Callable[[str], bool] | None = None
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
    is_tag_taken: Callable[[str], bool] | None = None,
    has_run_left: Callable[[str], bool] | None = None,
    max_bytes: int = MAX_BYTES,
) -> Verdict:
    """Reads a run strictly and says all that is wrong with it.

    ``source`` is a path, bytes or a binary stream, packed or not. ``topics`` are those of the task.
    ``docnos`` is given the file's distinct docnos (as a String series) and gives back those that the
    collection does not have; None checks none. ``near`` finds what unknown ones were probably meant to be.
    ``tag`` is the declared one, ``is_tag_taken`` tells whether another team's run has a tag, and
    ``has_run_left`` whether the team may have a run of the tag. ``max_bytes`` bounds the unpacked size. A
    file that cannot be read is a fault too: nothing is raised for what is in the file.
    """
    rules = Rules(topics, tag, max_per_topic, tag_max, is_tag_taken, has_run_left)
    reading = _Reading(Blocks(source, max_bytes=max_bytes))
    rows = reading.read()
    reading.tags_into_findings(rules)
    findings = reading.findings
    if not rows.height and not findings.of(Severity.ERROR):
        findings.add(Fault(FaultCode.EMPTY_FILE, 1))
    topic_check = TopicCheck(rows, rules.topics)
    for fault in topic_check.faults(rules.max_per_topic, is_whole=reading.is_whole):
        findings.add(fault)
    docno_check = DocnoCheck(rows, docnos, near)
    for fault in docno_check.faults():
        findings.add(fault)
    rankings = _rankings(rows, reading.scores, reading.tags.main(tag))
    for fault in order_faults(rows, reading.scores, rankings):
        findings.add(fault)
    summary = reading.summary(rows, rules, docno_check, topic_check)
    faults = findings.of(Severity.ERROR)
    return Verdict(faults, findings.of(Severity.WARNING), summary, None if faults else rankings)


def _rankings(rows: pl.DataFrame, scores: NDArray[np.float64], tag: str) -> Rankings:
    """Of the results that have a score."""
    is_scored = np.isfinite(scores)
    if not is_scored.all():
        rows, scores = rows.filter(is_scored), scores[is_scored]
    return Rankings(tag, TopicRows.of_column(rows["topic"]), rows["docno"], scores)


class _Reading:
    """Reads blocks into one frame and notes the faults that show line by line.

    ``is_whole`` is False when reading stopped before the end, so nothing can be said of what is missing.
    """

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self.is_whole = True
        self.findings = Findings()
        self.tags = TagUses()
        self.scores: NDArray[np.float64] = np.empty(0)
        self._q0_count = 0

    def read(self) -> pl.DataFrame:
        """All lines of six columns, in file order."""
        parts: list[pl.DataFrame] = []
        scores: list[NDArray[np.float64]] = []
        try:
            for block in read_blocks(self._blocks, _STRICT):
                self._note_lines(block)
                self.tags.add(block.frame)
                scores.append(self._scores(block.frame))
                self._note_q0(block.frame)
                parts.append(block.frame.select(_KEPT))
        except (UnreadableFile, TooManyBytes, LineTooLong) as error:
            self._note_unread(error)
        self._note_file()
        self.scores = np.concatenate(scores) if scores else np.empty(0)
        empty = pl.DataFrame(schema={name: pl.UInt32 if name == "line" else pl.String for name in _KEPT})
        return pl.concat([empty, *parts])

    def tags_into_findings(self, rules: Rules) -> None:
        """Adds what is wrong with the tag."""
        for fault in self.tags.faults(rules.tag, rules.tag_max, rules.is_tag_taken):
            self.findings.add(fault)
        tag = self.tags.main(rules.tag)
        if tag and rules.has_run_left is not None and not rules.has_run_left(tag):
            self.findings.add(Fault(FaultCode.NO_RUN_LEFT, 1))

    def summary(
        self, rows: pl.DataFrame, rules: Rules, docno_check: DocnoCheck, topic_check: TopicCheck
    ) -> Summary:
        """What was understood."""
        finite = self.scores[np.isfinite(self.scores)]
        is_same = (rows["topic"] == rows["topic"].shift(1)).fill_null(value=False).to_numpy()[1:]
        return Summary(
            tag=self.tags.main(rules.tag),
            line_count=rows.height,
            topic_count=topic_check.known_count,
            expected_topic_count=len(rules.topics),
            docno_count=docno_check.distinct_count,
            known_count=docno_check.known_count,
            lowest_score=float(finite.min()) if len(finite) else None,
            highest_score=float(finite.max()) if len(finite) else None,
            is_descending=bool((self.scores[1:][is_same] <= self.scores[:-1][is_same]).all()),
            q0_count=self._q0_count,
            packing=self._blocks.packing,
            byte_count=self._blocks.byte_count,
            results=topic_check.results,
        )

    def _note_lines(self, block: Block) -> None:
        if block.odd:
            examples = tuple(Example(line.number, "", line.text, "", line.columns) for line in block.odd)
            self.findings.add(
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
            self.findings.add(Fault(code, len(lines), first, examples=examples))

    def _scores(self, frame: pl.DataFrame) -> NDArray[np.float64]:
        scores, odd = read_scores(frame["score"])
        scores[odd] = np.nan
        self.findings.add(rows_fault(FaultCode.SCORE_NOT_FINITE, frame[odd], "score"))
        return scores

    def _note_q0(self, frame: pl.DataFrame) -> None:
        others = frame.filter(pl.col("q0") != "Q0")
        self._q0_count += frame.height - others.height
        self.findings.add(rows_fault(FaultCode.Q0_TEXT, others, "q0"))

    def _note_unread(self, error: UnreadableFile | TooManyBytes | LineTooLong) -> None:
        codes: dict[type, FaultCode] = {
            UnreadableFile: FaultCode.UNREADABLE,
            TooManyBytes: FaultCode.TOO_LARGE,
            LineTooLong: FaultCode.LINE_TOO_LONG,
        }
        self.is_whole = False
        self.findings.add(Fault(codes[type(error)], 1, note=str(error)))

    def _note_file(self) -> None:
        if self._blocks.packing:
            note = f"Packed with {self._blocks.packing}."
            self.findings.add(Fault(FaultCode.PACKED, 1, note=note))
        if self._blocks.is_marked:
            self.findings.add(Fault(FaultCode.BYTE_ORDER_MARK, 1, 1))
