"""Topics of a run, block by block: their lines and their faults."""

from collections.abc import Collection, Iterator

import numpy as np
import polars as pl

from trackside.checks.codes import FaultCode
from trackside.checks.fault_collector import EXAMPLES, SHOWN_CHARACTERS, row_example
from trackside.checks.verdict import MEANT, Example, Fault
from trackside.files.near_names import near_names

UNKNOWN_TOPICS = 1000  # examined; lines of further ones are only counted


class TopicCounts:
    """Topics of a file and their lines.

    Each topic has a code: the task's topics from 0 in byte order, then the first UNKNOWN_TOPICS of the file
    that the task lacks. Lines of other topics are only counted. ``names`` are the topics by code.
    """

    def __init__(self, topics: Collection[str], row_count: int) -> None:
        self._row_count = row_count
        self.names = sorted(set(topics))
        self.task_count = len(self.names)
        self.code_count = self.task_count + UNKNOWN_TOPICS
        self._codes = {name: code for code, name in enumerate(self.names)}
        self._lines = np.zeros(self.code_count, np.int64)
        self._unknown_lines = 0
        self._unknown_first: int | None = None
        self._unknown_rows: list[dict[str, object]] = []
        self._is_full = False

    def coded(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Count the block's lines and add a column ``code``, null for topics that are not examined."""
        stretches = frame["topic"].rle().struct.unnest()
        names = stretches["value"].unique(maintain_order=True).to_list()
        for name in names:
            if name not in self._codes and len(self.names) < self.code_count:
                self._codes[name] = len(self.names)
                self.names.append(name)
            self._is_full |= name not in self._codes
        codes = [self._codes.get(name) for name in names]
        known = pl.DataFrame({"value": names, "code": pl.Series(codes, dtype=pl.UInt32)})
        of_stretch = stretches.join(known, on="value", how="left", maintain_order="left")
        repeated = np.repeat(np.arange(of_stretch.height), of_stretch["len"].to_numpy())
        frame = frame.with_columns(of_stretch["code"].gather(repeated))
        self._count(frame)
        return frame

    def kept(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of a counted block to examine: the first ``row_count`` of each topic."""
        frame = frame.filter(pl.col("code").is_not_null())
        lines = np.bincount(frame["code"].to_numpy(), minlength=self.code_count)
        crowded = np.flatnonzero((lines > 0) & (self._lines > self._row_count))
        if not len(crowded):
            return frame
        room = np.maximum(self._row_count - (self._lines - lines), 0)
        nth = pl.int_range(pl.len()).over("code")
        return frame.filter(nth < pl.Series(room[frame["code"].to_numpy()]))

    @property
    def results(self) -> tuple[tuple[str, int], ...]:
        """Each topic of the file with its number of lines, in byte order."""
        lines = zip(self.names, self._lines.tolist(), strict=False)
        return tuple(sorted((name, count) for name, count in lines if count))

    @property
    def known_count(self) -> int:
        """Number of the task's topics that the file has."""
        return int((self._lines[: self.task_count] > 0).sum())

    def faults(self, max_per_topic: int, *, is_whole: bool) -> Iterator[Fault]:
        """Unknown topics and topics with too many results; in a whole file also those with few or none."""
        results = self.results
        yield self._unknown()
        yield _crowded(results, max_per_topic)
        if is_whole:
            yield self._missing()
            yield _sparse(results)

    def _count(self, frame: pl.DataFrame) -> None:
        codes = frame["code"]
        self._lines += np.bincount(codes.drop_nulls().to_numpy(), minlength=self.code_count)
        unknown = frame.filter(codes.is_null() | (codes >= self.task_count))
        if not unknown.height:
            return
        self._unknown_lines += unknown.height
        if self._unknown_first is None:
            self._unknown_first = int(unknown["line"][0])
        if len(self._unknown_rows) < EXAMPLES:
            firsts = unknown.unique("topic", keep="first", maintain_order=True).head(2 * EXAMPLES)
            seen = {row["topic"] for row in self._unknown_rows}
            self._unknown_rows += [row for row in firsts.iter_rows(named=True) if row["topic"] not in seen]

    def _missing(self) -> Fault:
        missing = [
            name
            for name, count in zip(self.names[: self.task_count], self._lines.tolist(), strict=False)
            if not count
        ]
        examples = tuple(Example(None, "", topic, "  no line") for topic in missing[:EXAMPLES])
        first = missing[0] if missing else None
        return Fault(FaultCode.TOPIC_WITHOUT_RESULTS, len(missing), first_topic=first, examples=examples)

    def _unknown(self) -> Fault:
        unknown = self.names[self.task_count :]
        known = pl.Series("topic", self.names[: self.task_count], pl.String)
        near = near_names(unknown, [known]) if unknown else {}
        examples = tuple(
            row_example(row, "topic", meant(near.get(str(row["topic"]))))
            for row in self._unknown_rows[:EXAMPLES]
        )
        note = f"The file has more; the first {UNKNOWN_TOPICS:,} were checked." if self._is_full else ""
        return Fault(
            FaultCode.UNKNOWN_TOPIC,
            self._unknown_lines,
            self._unknown_first,
            topic_count=len(unknown),
            examples=examples,
            note=note,
        )


def meant(name: str | None) -> str:
    """The hint of an example with a near name."""
    return f"{MEANT}{name}" if name is not None else ""


def _crowded(results: tuple[tuple[str, int], ...], most: int) -> Fault:
    crowded = [(topic[:SHOWN_CHARACTERS], count) for topic, count in results if count > most]
    examples = tuple(
        Example(None, "", topic, f"  {count:,} results, at most {most:,} allowed")
        for topic, count in crowded[:EXAMPLES]
    )
    first = crowded[0][0] if crowded else None
    return Fault(FaultCode.TOO_MANY_RESULTS, len(crowded), first_topic=first, examples=examples)


def _sparse(results: tuple[tuple[str, int], ...]) -> Fault:
    """Topics with fewer than 10 results, or fewer than a tenth of the median topic's."""
    sizes = sorted(count for _, count in results)
    bound = max(10.0, sizes[len(sizes) // 2] / 10) if sizes else 0.0
    sparse = [(topic[:SHOWN_CHARACTERS], count) for topic, count in results if count < bound]
    examples = tuple(
        Example(None, "", topic, f"  {count:,} result" + "s" * (count != 1))
        for topic, count in sparse[:EXAMPLES]
    )
    first = sparse[0][0] if sparse else None
    return Fault(FaultCode.FEW_RESULTS, len(sparse), first_topic=first, examples=examples)
