"""Checks of the sixth column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.core.run_checks.codes import FaultCode
from evaluation.core.run_checks.findings import EXAMPLES, SHOWN_CHARACTERS
from evaluation.core.run_checks.verdict import Example, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl

# What a tag may look like, but for its length.
SOUND_TAG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(slots=True)
class _Use:
    count: int
    first_line: int
    before: str


class TagUses:
    """Which tags a file has, on how many lines, and where each comes first."""

    def __init__(self) -> None:
        self._uses: dict[str, _Use] = {}

    def add(self, frame: pl.DataFrame) -> None:
        """Counts the tags of a block."""
        stretches = frame["tag"].rle().struct.unnest()
        row = 0
        for size, tag in stretches.iter_rows():
            use = self._uses.get(tag)
            if use is None:
                self._uses[tag] = _Use(size, int(frame["line"][row]), _before_tag(frame.row(row, named=True)))
            else:
                use.count += size
            row += size

    def main(self, declared: str | None) -> str:
        """The declared tag if the file has it, else the most frequent (the first of equals), else empty."""
        if declared in self._uses:
            return declared or ""
        return max(self._uses, key=lambda tag: self._uses[tag].count, default="")

    def faults(
        self, declared: str | None, longest: int, is_taken: Callable[[str], bool] | None
    ) -> Iterator[Fault]:
        """What is wrong with the tag."""
        main = self.main(declared)
        if not main:
            return
        others = sorted(
            (tag for tag in self._uses if tag != main), key=lambda tag: self._uses[tag].first_line
        )
        if others:
            note = f"Most lines have '{main}'." if declared != main else f"The declared tag is '{main}'."
            yield self._fault(FaultCode.TAG_CHANGES, others, note)
        if declared is not None and main != declared:
            yield self._fault(FaultCode.TAG_DIFFERS, [main], f"The declared tag is '{declared}'.")
        if main.startswith("."):
            yield self._fault(FaultCode.TAG_LEADING_DOT, [main])
        if match := _NOT_ALLOWED.search(main):
            yield self._fault(FaultCode.TAG_CHARACTERS, [main], f"The first such is '{match[0][0]}'.")
        if len(main) > longest:
            note = f"It has {len(main)} characters; at most {longest} are allowed."
            yield self._fault(FaultCode.TAG_TOO_LONG, [main], note)
        if is_taken is not None and is_taken(main):
            yield self._fault(FaultCode.TAG_TAKEN, [main])

    def _fault(self, code: FaultCode, tags: list[str], note: str = "") -> Fault:
        uses = [self._uses[tag] for tag in tags]
        examples = tuple(
            Example(use.first_line, use.before, tag[:SHOWN_CHARACTERS], "")
            for tag, use in zip(tags[:EXAMPLES], uses, strict=False)
        )
        return Fault(code, sum(use.count for use in uses), uses[0].first_line, examples=examples, note=note)


def _before_tag(row: dict[str, object]) -> str:
    return "".join(f"{row[name]} " for name in ("topic", "q0", "docno", "rank", "score"))[:SHOWN_CHARACTERS]
