"""Faults while they are being found: counts add up block by block, the first examples are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evaluation.core.run_checks.codes import FaultCode, Severity
from evaluation.core.run_checks.verdict import Example, Fault

if TYPE_CHECKING:
    import polars as pl

EXAMPLES = 3
SHOWN_CHARACTERS = 200
_COLUMNS = ("topic", "q0", "docno", "rank", "score")


class Findings:
    """Collects faults by kind."""

    def __init__(self) -> None:
        self._found: dict[FaultCode, Fault] = {}

    def add(self, fault: Fault) -> None:
        """Adds a fault to those of its kind; blocks come in file order, so the first place is kept."""
        if not fault.count:
            return
        before = self._found.get(fault.code)
        if before is not None:
            examples = (before.examples + fault.examples)[:EXAMPLES]
            fault = replace(before, count=before.count + fault.count, examples=examples)
        self._found[fault.code] = fault

    def of(self, severity: Severity) -> tuple[Fault, ...]:
        """The kinds of one severity, in the order of FaultCode."""
        order = list(FaultCode)
        found = [fault for fault in self._found.values() if fault.severity is severity]
        return tuple(sorted(found, key=lambda fault: order.index(fault.code)))


def rows_fault(code: FaultCode, rows: pl.DataFrame, column: str, *, note: str = "") -> Fault:
    """A fault of every row of a frame, in file order, with ``column`` the faulty one."""
    if not rows.height:
        return Fault(code, 0)
    examples = tuple(row_example(row, column) for row in rows.head(EXAMPLES).iter_rows(named=True))
    topics = rows["topic"].n_unique()
    return Fault(code, rows.height, int(rows["line"][0]), topic_count=topics, examples=examples, note=note)


def row_example(row: dict[str, object], column: str, hint: str = "") -> Example:
    """A line of six columns as an example; the tag is shown only when it is the faulty column."""
    shown = (*_COLUMNS, "tag") if column == "tag" else _COLUMNS
    place = shown.index(column)
    before = "".join(f"{row[name]} " for name in shown[:place])
    after = "".join(f" {row[name]}" for name in shown[place + 1 :])
    line = row["line"]
    return Example(
        int(str(line)),
        before[:SHOWN_CHARACTERS],
        str(row[column])[:SHOWN_CHARACTERS],
        after[:SHOWN_CHARACTERS],
        hint,
    )
