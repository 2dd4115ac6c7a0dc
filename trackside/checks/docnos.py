"""Docnos of a run: those that the collection lacks, those probably meant, and those that a topic repeats."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from io import IOBase
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from trackside.checks.codes import FaultCode
from trackside.checks.fault_collector import EXAMPLES, row_example
from trackside.checks.spool import RowSpool
from trackside.checks.topics import meant
from trackside.checks.verdict import Example, Fault
from trackside.errors import InputError
from trackside.files.columns import Format, read_blocks
from trackside.files.near_names import near_names
from trackside.files.streams import MAX_BYTES, Blocks, Source, name_of

_BLOCK_BYTES = 8 << 20  # each block is compared with all docnos that are unknown so far
_ONE_COLUMN = Format(("docno",), has_comments=False, is_overlong_allowed=True)


class DocnoFile:
    """The docnos of a collection in a file, one per line (only the first column counts).

    The file is streamed, so millions fit; a binary stream is read from its start each time. Calling it with
    docnos returns the set of those that the file lacks, by exact comparison.
    """

    def __init__(self, source: Source, *, max_bytes: int = MAX_BYTES) -> None:
        self._source = source
        self._max_bytes = max_bytes

    def __call__(self, docnos: Collection[str]) -> set[str]:
        """The unknown docnos. Raises InputError if the file is unreadable or empty."""
        wanted = docnos if isinstance(docnos, pl.Series) else pl.Series("docno", list(docnos), pl.String)
        unknown, known_count = wanted, 0
        for known in self._parts():
            unknown = unknown.filter(~unknown.is_in(known.implode()))
            known_count += len(known)
        if not known_count:
            raise InputError(
                f"{name_of(self._source)}: no docnos in it. Write one docno per line.", code="no-docnos"
            )
        return set(unknown.to_list())

    def near(self, docnos: Collection[str]) -> dict[str, str]:
        """For unknown docnos, the known one that was probably meant, as ``near_names`` finds it."""
        return near_names(docnos, self._parts())

    def _parts(self) -> Iterator[pl.Series]:
        if isinstance(self._source, IOBase) and self._source.seekable():
            self._source.seek(0)
        blocks = Blocks(self._source, max_bytes=self._max_bytes, block_bytes=_BLOCK_BYTES)
        for block in read_blocks(blocks, _ONE_COLUMN):
            yield block.frame["docno"]


# Enough to diagnose the file; searching near docnos for a million takes minutes and a gigabyte.
_NEAR_LIMIT = 10_000
_NEAR_BYTES = 1024  # longest docno searched; no collection has a longer one
_ASKED_ROWS = 250_000
_ASKED_BYTES = 4 << 20


class _FaultyRows:
    """Faulty rows: their number, their topics, and the first ones in file order."""

    def __init__(self) -> None:
        self.count = 0
        self.codes: set[int] = set()
        self.first = pl.DataFrame()

    def add(self, rows: pl.DataFrame) -> None:
        if rows.height:
            self.count += rows.height
            self.codes.update(rows["code"].unique().to_list())
            self.first = pl.concat([self.first, rows], how="diagonal").sort("line").head(EXAMPLES)

    def fault(
        self, code: FaultCode, names: list[str], spool: RowSpool, hints: Iterable[str], note: str = ""
    ) -> Fault:
        if not self.count:
            return Fault(code, 0)
        examples = tuple(
            _example(row, names, spool, hint)
            for row, hint in zip(self.first.iter_rows(named=True), hints, strict=True)
        )
        return Fault(code, self.count, int(self.first["line"][0]), None, len(self.codes), examples, note)


def _example(row: dict[str, object], names: list[str], spool: RowSpool, hint: str) -> Example:
    q0, rank, score = spool.example_text(cast("int", row["index"])).split(" ")
    topic = names[cast("int", row["code"])]
    return row_example({**row, "topic": topic, "q0": q0, "rank": rank, "score": score}, "docno", hint)


class DocnoCheck:
    """Distinct docnos of a file, by 64-bit hashes under a seed that the file's author does not know.

    ``known_count`` is None without a collection to compare with.
    """

    def __init__(
        self,
        docnos: Callable[[Collection[str]], set[str]] | None,
        seed: int,
        code: FaultCode = FaultCode.UNKNOWN_DOCNO,
    ) -> None:
        self._docnos = docnos
        self._code = code
        self._seed = seed
        self._met: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._unknown: list[NDArray[np.uint64]] = []
        self._waiting: list[pl.Series] = []
        self._waiting_rows = self._waiting_bytes = 0
        self.unknown_count = 0

    @property
    def distinct_count(self) -> int:
        """Number of distinct docnos in the file."""
        return len(self._met)

    @property
    def known_count(self) -> int | None:
        """Number of them in the collection."""
        return None if self._docnos is None else self.distinct_count - self.unknown_count

    def add(self, docnos: pl.Series) -> None:
        """Add the docnos of a batch; new ones are compared with the collection in bulk."""
        hashes = docnos.hash(self._seed).to_numpy()
        indices = np.flatnonzero(~_is_in(hashes, self._met))
        if not len(indices):
            return
        hashes, firsts = np.unique(hashes[indices], return_index=True)
        self._met = np.sort(np.concatenate((self._met, hashes)))
        if self._docnos is not None:
            new = docnos.gather(indices[firsts])
            self._waiting.append(new)
            self._waiting_rows += len(new)
            self._waiting_bytes += int(new.str.len_bytes().sum())
            if self._waiting_rows > _ASKED_ROWS or self._waiting_bytes > _ASKED_BYTES:
                self.compare()

    def compare(self) -> None:
        """Compare the pending docnos with the collection."""
        if self._docnos is None or not self._waiting:
            return
        # A Series serves as a Collection here (length, iteration), and a docno file compares it fast.
        asked = pl.concat(self._waiting)
        self._waiting, self._waiting_rows, self._waiting_bytes = [], 0, 0
        unknown = self._docnos(cast("Collection[str]", asked))
        self.unknown_count += len(unknown)
        if unknown:
            self._unknown.append(pl.Series(list(unknown), dtype=pl.String).hash(self._seed).to_numpy())

    def unknown(
        self, spool: RowSpool, names: list[str], near: Callable[[Collection[str]], Mapping[str, str]] | None
    ) -> Fault:
        """Docnos that the collection lacks, found in a second pass over all rows."""
        if not self.unknown_count:
            return Fault(self._code, 0)
        hashes, faulty = np.sort(np.concatenate(self._unknown)), _FaultyRows()
        firsts = pl.DataFrame(schema={"line": pl.UInt32, "docno": pl.String})
        for batch in spool.batches():
            rows = batch.filter(_is_in(batch["docno"].hash(self._seed).to_numpy(), hashes))
            faulty.add(rows)
            short = rows.filter(pl.col("docno").str.len_bytes() <= _NEAR_BYTES)
            candidates = pl.concat([firsts, short.select("line", "docno")]).sort("line")
            firsts = candidates.unique("docno", keep="first", maintain_order=True).head(_NEAR_LIMIT)
        asked = firsts["docno"].to_list()
        meanings = near(asked) if near else {}
        hints = [meant(meanings.get(docno)) for docno in faulty.first["docno"]]
        note = _near_note(meanings, len(asked))
        return faulty.fault(self._code, names, spool, hints, note)


class DuplicateCheck:
    """Docnos that a topic lists twice."""

    def __init__(self) -> None:
        self._again = _FaultyRows()
        self._hints: dict[int, str] = {}

    def add(self, batch: pl.DataFrame) -> None:
        """Examine a batch of complete topics."""
        # Hashes first: comparing the pairs themselves takes ten times as long and is rarely needed.
        hashes = (batch["code"].hash(1) ^ batch["docno"].hash(0)).sort()
        if not (hashes == hashes.shift(1)).any():
            return
        pairs = batch.select(pl.struct("code", "docno").alias("pair")).to_series()
        again = batch.filter(~pairs.is_first_distinct())
        self._again.add(again)
        for row in again.sort("line").head(EXAMPLES).iter_rows(named=True):
            same = (pl.col("code") == row["code"]) & (pl.col("docno") == row["docno"])
            first = int(batch.filter(same)["line"].to_numpy().min())
            self._hints[row["line"]] = f"first on line {first:,}"

    def fault(self, spool: RowSpool, names: list[str]) -> Fault:
        """The repeated docnos as one fault."""
        lines = self._again.first["line"].to_list() if self._again.count else []
        return self._again.fault(
            FaultCode.DUPLICATE_DOCNO, names, spool, [self._hints[line] for line in lines]
        )


def _is_in(hashes: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """For each hash, whether it is in the sorted ``known``."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    indices = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    is_known: NDArray[np.bool_] = known[indices] == hashes
    return is_known


def _near_note(near: Mapping[str, str], asked_count: int) -> str:
    if not near:
        return ""
    docnos = f"the first {asked_count:,} docnos" if asked_count == _NEAR_LIMIT else f"{asked_count:,} docnos"
    in_case = sum(docno.lower() == meaning.lower() for docno, meaning in near.items())
    if in_case == len(near):
        return f"{in_case:,} of {docnos} differ from a known one only in capital letters."
    return f"{len(near):,} of {docnos} resemble a known one (case, prefix, folder or suffix)."
