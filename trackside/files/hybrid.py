"""Hybrid qrels: people's grade where there is one, else a model's chances of each grade.

The first line names the format, so that no reader of qrels takes the file for people's grades.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.files.qrels import HYBRID

FORMAT = "1"
PEOPLE, MODEL = "people", "model"
_TEXTS, _COUNTS = 3, 3  # topic, docno, source; grade, batch, spread


@dataclass(frozen=True)
class HybridQrels:
    """Pairs with people's grades [pair], negative where there is none, and a model's chances ``tails`` [pair,
    grade from 1] of at least a grade. ``batch`` [pair] is the one in which a graded pair was drawn, from 1, 0
    if it was not drawn. For each batch ``chances`` [batch, pair] are those of its draw, 0 for a pair that was
    not open, and ``rest`` [batch, pair, grade from 1] those of a model without the batch's grades. ``spread``
    [pair] is the standard deviation of the logits, which the pairs of a topic share.
    """

    names: tuple[tuple[str, str], ...]
    grades: Ints
    batch: Ints
    spread: Floats
    tails: Floats
    chances: Floats
    rest: Floats

    def write(self, path: Path) -> None:
        """One line a pair: topic, docno, source, grade (-1: none), batch, spread, chances of grades 0, 1, ...
        and for each batch the chance of the draw and those of at least grade 1, 2, ...
        """
        count, highest = self.tails.shape
        ends = np.ones((count, 1)), np.zeros((count, 1))
        shares = -np.diff(np.concatenate([ends[0], self.tails, ends[1]], axis=1))
        draws = (
            np.concatenate([self.chances[:, :, None], self.rest], axis=2).swapaxes(0, 1).reshape(count, -1)
        )
        numbers = np.column_stack([self.grades, self.batch, self.spread, shares, draws])
        lines = [f"{HYBRID} {FORMAT} {highest} topic docno source grade batch spread shares draws"]
        for pair, row in zip(self.names, numbers.tolist(), strict=True):
            cells = [*pair, PEOPLE if row[0] >= 0 else MODEL, *(f"{number:.6g}" for number in row)]
            lines.append("\t".join(cells))
        try:
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}. Name another file.") from error

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file of ``write``. Raises InputError."""
        try:
            head, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: {error}. Write the file with trackside estimate --hybrid.") from error
        if head.split(" ")[:2] != [HYBRID, FORMAT]:
            raise InputError(f"{path}: no hybrid qrels. Write them with trackside estimate --hybrid FILE.")
        try:
            highest = int(head.split(" ")[2])
            rows = [line.split("\t") for line in lines]
            names = tuple((row[0], row[1]) for row in rows)
            numbers = np.array([[float(cell) for cell in row[_TEXTS:]] for row in rows])
            grades, batch, spread = numbers[:, :_COUNTS].T
            shares, draws = np.split(numbers[:, _COUNTS:], [highest + 1], axis=1)
            draws = draws.reshape(len(rows), -1, highest + 1).swapaxes(0, 1)
        except (ValueError, IndexError) as error:
            raise InputError(
                f"{path}: {error}. Write the file again with trackside estimate --hybrid."
            ) from error
        tails = shares[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
        return cls(
            names, grades.astype(int), batch.astype(int), spread, tails, draws[:, :, 0], draws[:, :, 1:]
        )
