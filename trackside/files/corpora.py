"""Corpora: lists of the documents that a smaller or larger part of a collection has."""

from __future__ import annotations  # polars is imported on first use

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trackside.errors import InputError
from trackside.files import in_memory
from trackside.files.columns import Block, Format, read_blocks
from trackside.files.streams import Blocks, Source
from trackside.files.text_columns import TextColumn
from trackside.lazy_polars import pl
from trackside.text.counted import counted

_LIST = Format(("docno",), has_comments=False)


class Corpus:
    """The docnos of a part of a collection; ``repeated`` counts lines that repeat an earlier docno."""

    def __init__(self, name: str, docnos: TextColumn) -> None:
        if not len(docnos):
            raise InputError(f"{name}: no docno in it. Write one docno per line.", code="no-docnos")
        self.name = name
        for self._attempt in count():  # until equal keys mean equal docnos
            keys = docnos.keys(self._attempt)
            order = np.argsort(keys, kind="stable")
            self._keys, self._docnos = keys[order], docnos.take(order)
            is_again = np.concatenate(([False], self._keys[1:] == self._keys[:-1]))
            again = np.flatnonzero(is_again)
            if self._docnos.take(again).equals(self._docnos.take(again - 1)).all():
                break
        self.repeated = len(again)
        self._keys, self._docnos = self._keys[~is_again], self._docnos.take(np.flatnonzero(~is_again))

    @classmethod
    def from_file(cls, source: Source, *, name: str) -> Self:
        """Read a list, one docno per line. Raises not-a-list, no-docnos."""
        blocks = Blocks(source)
        return cls(name, TextColumn.joined(list(_docnos(blocks))))

    @classmethod
    def of(cls, docnos: Iterable[str], *, name: str) -> Self:
        """Create from docnos. Raises no-docnos, entry-unfit."""
        names = in_memory.names(list(docnos), "docno")
        return cls(name, TextColumn.of_series(pl.Series("docno", names, pl.String)))

    def __len__(self) -> int:
        """Number of documents."""
        return len(self._keys)

    def holds(self, docnos: TextColumn) -> NDArray[np.bool_]:
        """Whether each docno is in the corpus, by exact comparison."""
        slots = np.minimum(np.searchsorted(self._keys, docnos.keys(self._attempt)), len(self) - 1)
        return self._docnos.take(slots).equals(docnos)

    def outside(self, larger: Corpus) -> int:
        """Count the documents that another corpus lacks."""
        return len(self) - int(larger.holds(self._docnos).sum())


def _docnos(blocks: Blocks) -> Iterator[TextColumn]:
    for block in read_blocks(blocks, _LIST):
        _refuse(block, blocks.name)
        yield TextColumn.of_series(block.frame["docno"])


def _refuse(block: Block, name: str) -> None:
    for line in block.odd[:1]:
        raise InputError(
            f"{name}, line {line.number:,}: {line.columns} where 1 is needed: '{line.text}'. Write one "
            "docno per line; in qrels and runs it is the third column.",
            code="not-a-list",
        )
    for line in [*block.not_utf8[:1], *block.nul[:1]]:
        raise InputError(
            f"{name}, line {line:,}: bytes that are no text. Save the list in UTF-8.", code="not-a-list"
        )


def oddities_of(corpora: Sequence[Corpus]) -> Iterator[str]:
    """Say which lists repeat docnos, and which corpora have documents that the next larger one lacks."""
    for corpus in corpora:
        if corpus.repeated:
            yield f"{corpus.name}: {counted(corpus.repeated, 'repeated docno')}, each counted once"
    for small, large in pairwise(sorted(corpora, key=len)):
        if beyond := small.outside(large):
            yield f"{small.name}: {beyond:,} of {counted(len(small), 'document')} are not in {large.name}"
