"""Docnos of a run that the collection lacks, and those probably meant."""

from collections.abc import Collection, Iterator
from io import IOBase

import polars as pl

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
