"""Checks against lists: the topics of the task, the docnos of the collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import polars as pl

from evaluation.core.run_checks.codes import FaultCode
from evaluation.core.run_checks.docnos import near_docnos
from evaluation.core.run_checks.findings import EXAMPLES, row_example, rows_fault
from evaluation.core.run_checks.verdict import Example, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping


# Enough to see what went wrong; looking for what a million were meant to be takes minutes and a gigabyte.
_NEAR_LIMIT = 10_000


class TopicCheck:
    """Topics of a file. ``results`` is each topic in it with its number of lines, in byte order, and
    ``known_count`` how many of them the task has.
    """

    def __init__(self, rows: pl.DataFrame, topics: Collection[str]) -> None:
        self._rows = rows
        self._topics = set(topics)
        counts: dict[str, int] = {}
        stretches = rows["topic"].rle().struct.unnest() if rows.height else pl.DataFrame()
        for size, topic in stretches.iter_rows():
            counts[topic] = counts.get(topic, 0) + size
        self.results = tuple(sorted(counts.items()))
        self.known_count = len(self._topics & counts.keys())

    def faults(self, max_per_topic: int, *, is_whole: bool) -> Iterator[Fault]:
        """Topics unknown or with too many results, and in a whole file those without any or with few."""
        yield self._unknown()
        yield self._crowded(max_per_topic)
        if is_whole:
            yield self._missing()
            yield self._sparse()

    def _missing(self) -> Fault:
        missing = sorted(self._topics - dict(self.results).keys())
        examples = tuple(Example(None, "", topic, "  no line") for topic in missing[:EXAMPLES])
        first = missing[0] if missing else None
        return Fault(FaultCode.TOPIC_WITHOUT_RESULTS, len(missing), first_topic=first, examples=examples)

    def _unknown(self) -> Fault:
        unknown = [topic for topic, _ in self.results if topic not in self._topics]
        if not unknown:
            return Fault(FaultCode.UNKNOWN_TOPIC, 0)
        rows = self._rows.filter(pl.col("topic").is_in(unknown))
        near = near_docnos(unknown, [pl.Series("topic", sorted(self._topics), pl.String)])
        firsts = rows.unique("topic", keep="first", maintain_order=True).head(EXAMPLES)
        examples = tuple(
            row_example(row, "topic", _meant(near.get(row["topic"]))) for row in firsts.iter_rows(named=True)
        )
        return Fault(
            FaultCode.UNKNOWN_TOPIC,
            rows.height,
            int(rows["line"][0]),
            topic_count=len(unknown),
            examples=examples,
        )

    def _crowded(self, most: int) -> Fault:
        crowded = [(topic, count) for topic, count in self.results if count > most]
        examples = tuple(
            Example(None, "", topic, f"  {count:,} results, at most {most:,} allowed")
            for topic, count in crowded[:EXAMPLES]
        )
        first = crowded[0][0] if crowded else None
        return Fault(FaultCode.TOO_MANY_RESULTS, len(crowded), first_topic=first, examples=examples)

    def _sparse(self) -> Fault:
        """Topics with fewer than 10 results, or a tenth of what the median topic has."""
        sizes = sorted(count for _, count in self.results)
        bound = max(10.0, sizes[len(sizes) // 2] / 10) if sizes else 0.0
        sparse = [(topic, count) for topic, count in self.results if count < bound]
        examples = tuple(
            Example(None, "", topic, f"  {count:,} result" + "s" * (count != 1))
            for topic, count in sparse[:EXAMPLES]
        )
        first = sparse[0][0] if sparse else None
        return Fault(FaultCode.FEW_RESULTS, len(sparse), first_topic=first, examples=examples)


class DocnoCheck:
    """Docnos of a file. ``known_count`` is None when there is no collection to compare with."""

    def __init__(
        self,
        rows: pl.DataFrame,
        docnos: Callable[[Collection[str]], set[str]] | None,
        near: Callable[[Collection[str]], Mapping[str, str]] | None,
    ) -> None:
        self._rows = rows
        self._near = near
        distinct = rows["docno"].unique()
        self.distinct_count = len(distinct)
        # A series has what is asked of the docnos (length, iteration), and a docno file compares it at speed.
        asked = cast("Collection[str]", distinct)
        self._unknown = docnos(asked) if docnos is not None and len(distinct) else set[str]()
        self.known_count = None if docnos is None else self.distinct_count - len(self._unknown)

    def faults(self) -> Iterator[Fault]:
        """Docnos that the collection does not have, and those named twice in a topic."""
        yield self._unknown_docnos()
        yield self._duplicates()

    def _unknown_docnos(self) -> Fault:
        if not self._unknown:
            return Fault(FaultCode.UNKNOWN_DOCNO, 0)
        rows = self._rows.filter(pl.col("docno").is_in(pl.Series(list(self._unknown)).implode()))
        asked = rows["docno"].unique(maintain_order=True).head(_NEAR_LIMIT).to_list()
        near = self._near(asked) if self._near else {}
        fault = rows_fault(FaultCode.UNKNOWN_DOCNO, rows, "docno", note=_near_note(near, len(asked)))
        examples = tuple(
            row_example(row, "docno", _meant(near.get(row["docno"])))
            for row in rows.head(EXAMPLES).iter_rows(named=True)
        )
        return Fault(fault.code, fault.count, fault.first_line, None, fault.topic_count, examples, fault.note)

    def _duplicates(self) -> Fault:
        # Hashes first: comparing the pairs themselves takes ten times as long and is seldom needed.
        hashes = (self._rows["topic"].hash(1) ^ self._rows["docno"].hash(0)).sort()
        if not (hashes == hashes.shift(1)).any():
            return Fault(FaultCode.DUPLICATE_DOCNO, 0)
        pairs = self._rows.select(pl.struct("topic", "docno").alias("pair")).to_series()
        again = self._rows.filter(~pairs.is_first_distinct())
        fault = rows_fault(FaultCode.DUPLICATE_DOCNO, again, "docno")
        examples = tuple(
            row_example(row, "docno", f"first on line {self._first_line(row):,}")
            for row in again.head(EXAMPLES).iter_rows(named=True)
        )
        return Fault(fault.code, fault.count, fault.first_line, None, fault.topic_count, examples)

    def _first_line(self, row: Mapping[str, object]) -> int:
        same = (pl.col("topic") == row["topic"]) & (pl.col("docno") == row["docno"])
        return int(self._rows.filter(same)["line"][0])


def _meant(docno: str | None) -> str:
    return f"did you mean {docno}" if docno is not None else ""


def _near_note(near: Mapping[str, str], asked_count: int) -> str:
    if not near:
        return ""
    docnos = f"the first {asked_count:,} docnos" if asked_count == _NEAR_LIMIT else f"{asked_count:,} docnos"
    in_case = sum(docno.lower() == meant.lower() for docno, meant in near.items())
    if in_case == len(near):
        return f"{in_case:,} of {docnos} differ from a known one only in capital letters."
    return f"{len(near):,} of {docnos} are near a known one (case, prefix, folder or ending)."
