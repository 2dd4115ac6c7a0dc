"""Checks of the tag of a run, the sixth column."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from trackside.checks.codes import FaultCode
from trackside.checks.fault_collector import EXAMPLES, SHOWN_CHARACTERS
from trackside.checks.verdict import Example, Fault

TAGS = 1000  # examined; lines with further ones are only counted
_BEFORE = ("topic", "q0", "docno", "rank", "score")
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(slots=True)
class _Use:
    count: int
    first_line: int
    before: str


class TagUses:
    """The tags of a file, with the number of lines and the first line of each.

    Only the first TAGS tags are stored; lines with any other are counted together.
    """

    def __init__(self) -> None:
        self._uses: dict[str, _Use] = {}
        self._other_count = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Count the tags of a block."""
        stretches = frame["tag"].rle().struct.unnest()  # few, unless tags change often
        starts = pl.col("len").cum_sum() - pl.col("len")
        uses = (
            stretches.with_columns(start=starts)
            .group_by("value", maintain_order=True)
            .agg(pl.col("len").sum(), pl.col("start").first())
        )
        firsts = frame.select("line", *_BEFORE)[uses["start"]]
        for tag, count, (line, *before) in zip(uses["value"], uses["len"], firsts.iter_rows(), strict=True):
            if tag in self._uses:
                self._uses[tag].count += count
            elif len(self._uses) < TAGS:
                self._uses[tag] = _Use(count, line, "".join(f"{text} " for text in before)[:SHOWN_CHARACTERS])
            else:
                self._other_count += count

    def main(self, declared: str | None) -> str:
        """The declared tag if the file has it, else the most frequent (the first on ties), else empty."""
        if declared in self._uses:
            return declared or ""
        return max(self._uses, key=lambda tag: self._uses[tag].count, default="")

    def faults(self, declared: str | None, longest: int) -> Iterator[Fault]:
        """Faults of the tag itself."""
        main = self.main(declared)
        if not main:
            return
        others = sorted(
            (tag for tag in self._uses if tag != main), key=lambda tag: self._uses[tag].first_line
        )
        if others:
            kind = "Most lines have" if declared != main else "The declared tag is"
            yield self._fault(
                FaultCode.TAG_CHANGES, others, f"{kind} '{main[:SHOWN_CHARACTERS]}'.", self._other_count
            )
        if declared is not None and main != declared:
            yield self._fault(FaultCode.TAG_DIFFERS, [main], f"The declared tag is '{declared}'.")
        if main.startswith("."):
            yield self._fault(FaultCode.TAG_LEADING_DOT, [main])
        if match := _NOT_ALLOWED.search(main):
            yield self._fault(FaultCode.TAG_CHARACTERS, [main], f"The first such is '{match[0][0]}'.")
        if len(main) > longest:
            note = f"It has {len(main)} characters; at most {longest} are allowed."
            yield self._fault(FaultCode.TAG_TOO_LONG, [main], note)

    def conflicts(
        self,
        declared: str | None,
        is_unavailable: Callable[[str], bool] | None,
        has_run_left: Callable[[str], bool] | None,
    ) -> Iterator[Fault]:
        """Conflicts of the tag with the task's other runs."""
        main = self.main(declared)
        if main and is_unavailable is not None and is_unavailable(main):
            yield self._fault(FaultCode.TAG_UNAVAILABLE, [main])
        if main and has_run_left is not None and not has_run_left(main):
            yield Fault(FaultCode.NO_RUN_LEFT, 1)

    def _fault(self, code: FaultCode, tags: list[str], note: str = "", more: int = 0) -> Fault:
        uses = [self._uses[tag] for tag in tags]
        examples = tuple(
            Example(use.first_line, use.before, tag[:SHOWN_CHARACTERS], "")
            for tag, use in zip(tags[:EXAMPLES], uses, strict=False)
        )
        count = sum(use.count for use in uses) + more
        return Fault(code, count, uses[0].first_line, examples=examples, note=note)
