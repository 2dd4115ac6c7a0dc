"""The answer to an upload: faults and warnings by kind, and what was understood of the file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from evaluation.core.run_checks.codes import KINDS, FaultCode, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.trec_files import Rankings


@dataclass(frozen=True, slots=True)
class Example:
    """A line that shows a fault, with the faulty part between ``before`` and ``after``; ``hint`` may help."""

    line: int | None
    before: str
    fault: str
    after: str
    hint: str = ""

    def __str__(self) -> str:
        return self.before + self.fault + self.after


@dataclass(frozen=True, slots=True)
class Fault:
    """All faults of one kind in a file.

    ``count`` counts ``unit`` (line, topic or file); ``topic_count`` says over how many topics, when that
    is known. The first is at ``first_line``, or ``first_topic`` where no line is to blame. ``note`` says
    more.
    """

    code: FaultCode
    count: int
    first_line: int | None = None
    first_topic: str | None = None
    topic_count: int | None = None
    examples: tuple[Example, ...] = ()
    note: str = ""

    @property
    def severity(self) -> Severity:
        """Whether it stops the run."""
        return KINDS[self.code].severity

    @property
    def title(self) -> str:
        """The kind in words."""
        return KINDS[self.code].title

    @property
    def unit(self) -> str:
        """What is counted."""
        return KINDS[self.code].unit

    @property
    def cure(self) -> str:
        """What to do; for a warning, what was done."""
        return KINDS[self.code].cure

    @property
    def counted(self) -> str:
        """The count with its unit, as in "214 lines"."""
        return f"{self.count:,} {self.unit}" + ("" if self.count == 1 else "s")

    @property
    def found(self) -> str:
        """The count and over how many topics, as in "214 lines in 9 topics"."""
        if self.topic_count is None or self.unit == "topic":
            return self.counted
        return f"{self.counted} in {self.topic_count:,} topic" + ("" if self.topic_count == 1 else "s")

    @property
    def first(self) -> str:
        """Where the first one is, as in "line 1,003"; empty for the file as a whole."""
        if self.first_line is not None:
            return f"line {self.first_line:,}"
        return f"topic {self.first_topic}" if self.first_topic is not None else ""

    def __str__(self) -> str:
        first = f", first at {self.first}" if self.first else ""
        value = f": '{self.examples[0].fault}'" if self.examples and self.examples[0].fault else ""
        note = f" {self.note}" if self.note else ""
        return f"{self.title} ({self.found}{first}){value}.{note} {self.cure}"


@dataclass(frozen=True, slots=True)
class Summary:
    """What was understood. Counts are of lines with six columns; ``topic_count`` leaves out topics that the
    task does not have; ``results`` has every topic of the file with its count, in byte order.

    ``known_count`` is None when docnos were not checked; scores are None when no line has a finite one.
    """

    tag: str = ""
    line_count: int = 0
    topic_count: int = 0
    expected_topic_count: int = 0
    docno_count: int = 0
    known_count: int | None = None
    lowest_score: float | None = None
    highest_score: float | None = None
    is_descending: bool = False
    q0_count: int = 0
    packing: str | None = None
    byte_count: int = 0
    results: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run file is accepted, and all that was found. ``rankings`` are there only on acceptance."""

    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]
    summary: Summary
    rankings: Rankings | None = field(default=None, compare=False)

    @property
    def is_accepted(self) -> bool:
        """Whether nothing stops the run; warnings do not."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """Plain JSON with everything but the rankings: what templates show and ``from_json`` reads."""
        return {
            "is_accepted": self.is_accepted,
            "faults": [_fault_json(fault) for fault in self.faults],
            "warnings": [_fault_json(fault) for fault in self.warnings],
            "summary": asdict(self.summary) | {"results": [list(pair) for pair in self.summary.results]},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The verdict that ``to_json`` gave, without rankings."""
        summary = dict(stored["summary"])
        summary["results"] = tuple((topic, count) for topic, count in summary["results"])
        return cls(
            tuple(_fault_from_json(each) for each in stored["faults"]),
            tuple(_fault_from_json(each) for each in stored["warnings"]),
            Summary(**summary),
        )


_STORED = ("code", "count", "first_line", "first_topic", "topic_count", "note")


def _fault_json(fault: Fault) -> dict[str, Any]:
    """A fault with its texts beside its facts, so that a template needs no code of ours."""
    shown = {
        name: getattr(fault, name)
        for name in ("severity", "title", "unit", "counted", "found", "first", "cure")
    }
    return {
        **{name: getattr(fault, name) for name in _STORED},
        **shown,
        "examples": [asdict(example) for example in fault.examples],
    } | {"code": str(fault.code), "severity": str(fault.severity)}


def _fault_from_json(stored: Mapping[str, Any]) -> Fault:
    facts = {name: stored[name] for name in _STORED} | {"code": FaultCode(stored["code"])}
    return Fault(**facts, examples=tuple(Example(**each) for each in stored["examples"]))
