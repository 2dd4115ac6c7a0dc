"""Accumulates faults block by block: counts add up, and the first examples are stored."""

from dataclasses import replace

import polars as pl

from trackside.checks.codes import FaultCode, Severity
from trackside.checks.verdict import Example, Fault

EXAMPLES = 3
SHOWN_CHARACTERS = 200
_COLUMNS = ("topic", "q0", "docno", "rank", "score")


class FaultCollector:
    """Collects faults by kind."""

    def __init__(self) -> None:
        self._found: dict[FaultCode, Fault] = {}
        self._codes: dict[FaultCode, set[int]] = {}

    def add(self, *faults: Fault) -> None:
        """Add faults to those of their kinds; blocks arrive in file order, so the first place is final."""
        for fault in faults:
            before = self._found.get(fault.code)
            if before is not None:
                examples = (before.examples + fault.examples)[:EXAMPLES]
                fault = replace(before, count=before.count + fault.count, examples=examples)
            if fault.count:
                self._found[fault.code] = fault

    def add_rows(self, code: FaultCode, rows: pl.DataFrame, column: str) -> None:
        """Add a fault for every row of a block; ``column`` is the faulty column.

        Topics are counted by the column ``code``, which is null for topics that are not examined.
        """
        if not rows.height:
            return
        examples = tuple(row_example(row, column) for row in rows.head(EXAMPLES).iter_rows(named=True))
        topics = self._codes.setdefault(code, set())
        topics.update(rows["code"].drop_nulls().unique().to_list())
        self.add(Fault(code, rows.height, int(rows["line"][0]), examples=examples))
        self._found[code] = replace(self._found[code], topic_count=len(topics))

    def of(self, severity: Severity) -> tuple[Fault, ...]:
        """The kinds of one severity, in the order of FaultCode."""
        order = list(FaultCode)
        faults = [fault for fault in self._found.values() if fault.severity is severity]
        return tuple(sorted(faults, key=lambda fault: order.index(fault.code)))


def row_example(row: dict[str, object], column: str, hint: str = "") -> Example:
    """A line of six columns as an example, its tag left out."""
    index = _COLUMNS.index(column)
    before = "".join(f"{row[name]} " for name in _COLUMNS[:index])
    after = "".join(f" {row[name]}" for name in _COLUMNS[index + 1 :])
    line = row["line"]
    return Example(
        int(str(line)),
        before[:SHOWN_CHARACTERS],
        str(row[column])[:SHOWN_CHARACTERS],
        after[:SHOWN_CHARACTERS],
        hint,
    )
