"""The verdict of an upload check: faults and warnings by kind, and a summary of the file."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from typing import Any, Self

from trackside.checks.codes import KINDS, FaultCode, Severity
from trackside.files.near_names import did_you_mean
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown

JSON_BYTES = 64_000  # of a verdict
RESULTS_BYTES = 32_000  # of it, for the counts by topic
MEANT = "did you mean "  # how a hint with a near name begins


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

    ``count`` counts ``unit`` (line, topic or file); ``topic_count`` is the number of topics affected, None if
    unknown. The first fault is at ``first_line``, or at ``first_topic`` if it has no line. ``note`` gives
    details.
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
        """ERROR if the kind rejects the run, else WARNING."""
        return KINDS[self.code].severity

    @property
    def title(self) -> str:
        """The title of the kind."""
        return KINDS[self.code].title

    @property
    def unit(self) -> str:
        """The unit of ``count``: line, topic or file."""
        return KINDS[self.code].unit

    @property
    def cure(self) -> str:
        """What to do; for a warning, what was done."""
        return KINDS[self.code].cure

    @property
    def counted(self) -> str:
        """The count with its unit, as in "214 lines"."""
        return counted(self.count, self.unit)

    @property
    def found(self) -> str:
        """The count and the number of topics, as in "214 lines in 9 topics"."""
        if self.topic_count is None or self.unit == "topic":
            return self.counted
        return f"{self.counted} in {counted(self.topic_count, 'topic')}"

    @property
    def near(self) -> tuple[str, str] | None:
        """The first unknown name among the examples with the one probably meant; None without any."""
        hinted = (example for example in self.examples if example.hint.startswith(MEANT))
        return next(((example.fault, example.hint.removeprefix(MEANT)) for example in hinted), None)

    @property
    def first(self) -> str:
        """The place of the first one, as in "line 1,003"; empty for the file as a whole."""
        if self.first_line is not None:
            return f"line {self.first_line:,}"
        return f"topic {self.first_topic}" if self.first_topic is not None else ""

    def __str__(self) -> str:
        first = f", first at {self.first}" if self.first else ""
        value = f": '{self.examples[0].fault}'" if self.examples and self.examples[0].fault else ""
        note = f" {self.note}" if self.note else ""
        return f"{self.title} ({self.found}{first}){value}.{note} {self.cure}"


@dataclass(frozen=True, slots=True)
class FileSummary:
    """Facts about the file. Counts are of lines with six columns; ``topic_count`` excludes unknown topics.

    ``results`` has the topics of the file with their counts, in byte order, up to RESULTS_BYTES; ``least``,
    ``median`` and ``most`` summarise the counts of all topics, None in a file without topics.
    ``known_count`` is None if docnos were not checked; scores are None if no line has a finite one.
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
    least: int | None = None
    median: int | None = None
    most: int | None = None

    def with_results(self, results: tuple[tuple[str, int], ...]) -> Self:
        """The summary of a file with these topics and counts."""
        if not results:
            return self
        sizes = sorted(count for _, count in results)
        ends = accumulate(len(json.dumps(topic)) + len(str(count)) + 6 for topic, count in results)
        fitting = tuple(pair for pair, end in zip(results, ends, strict=True) if end <= RESULTS_BYTES)
        return replace(self, results=fitting, least=sizes[0], median=sizes[len(sizes) // 2], most=sizes[-1])


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Shown):
    """Whether a run file is accepted, with all faults and warnings."""

    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]
    summary: FileSummary

    def _shown(self) -> Outline:
        state, warnings = (
            "accepted" if self.is_accepted else "rejected",
            counted(len(self.warnings), "warning"),
        )
        line = f"{self.summary.tag}: {state}, {counted(len(self.faults), 'kind')} of fault, {warnings}"
        rows = ((str(fault.severity), fault.title, fault.found) for fault in (*self.faults, *self.warnings))
        return Outline(line, ("severity", "fault", "count"), rows)

    @property
    def is_accepted(self) -> bool:
        """Whether there is no error; warnings do not reject a run."""
        return not self.faults

    @property
    def is_upside_down(self) -> bool:
        """Whether nearly all topics have the best scores on the last ranks: a site asks before it counts."""
        return any(fault.code is FaultCode.UPSIDE_DOWN for fault in self.warnings)

    @property
    def is_asked(self) -> bool:
        """Whether a site asks the team before the run counts: it is upside down, or ties lose its ranks."""
        return self.is_upside_down or any(fault.code is FaultCode.RANKS_LOST for fault in self.warnings)

    @property
    def ids(self) -> str:
        """One line if topics or documents of the file hardly meet those of the task; "" if they do."""
        missing, summary = self._fault(FaultCode.TOPIC_WITHOUT_RESULTS), self.summary
        parts = []
        if missing and 2 * missing.count > summary.expected_topic_count:
            parts.append(f"{missing.count:,} of {summary.expected_topic_count:,} topics have no result")
        if summary.known_count is not None and 2 * summary.known_count < summary.docno_count:
            known = f"{summary.known_count:,} of {summary.docno_count:,}"
            parts.append(f"{known} documents are in the collection")
        unknown = (self._fault(code) for code in (FaultCode.UNKNOWN_TOPIC, FaultCode.UNKNOWN_DOCNO))
        return did_you_mean(parts, [fault.near if fault else None for fault in unknown])

    def _fault(self, code: FaultCode) -> Fault | None:
        return next((fault for fault in self.faults if fault.code is code), None)

    def bounded(self) -> Self:
        """The verdict with as many examples per kind of fault as fit in JSON_BYTES."""
        verdict = self
        for example_count in (2, 1, 0):
            if len(json.dumps(verdict.to_json())) <= JSON_BYTES:
                break
            verdict = replace(
                self,
                faults=_with_fewer_examples(self.faults, example_count),
                warnings=_with_fewer_examples(self.warnings, example_count),
            )
        return verdict

    def to_json(self) -> dict[str, Any]:
        """JSON for templates and ``from_json``."""
        return {
            "is_accepted": self.is_accepted,
            "faults": [_fault_json(fault) for fault in self.faults],
            "warnings": [_fault_json(fault) for fault in self.warnings],
            "summary": asdict(self.summary) | {"results": [list(pair) for pair in self.summary.results]},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """The verdict of a ``to_json`` value."""
        summary = dict(stored["summary"])
        summary["results"] = tuple((topic, count) for topic, count in summary["results"])
        return cls(
            tuple(_fault_from_json(fault) for fault in stored["faults"]),
            tuple(_fault_from_json(fault) for fault in stored["warnings"]),
            FileSummary(**summary),
        )


def _with_fewer_examples(faults: tuple[Fault, ...], count: int) -> tuple[Fault, ...]:
    return tuple(replace(fault, examples=fault.examples[:count]) for fault in faults)


_STORED = ("code", "count", "first_line", "first_topic", "topic_count", "note")


def _fault_json(fault: Fault) -> dict[str, Any]:
    """A fault with its texts, so that templates need no code."""
    texts = {
        name: getattr(fault, name)
        for name in ("severity", "title", "unit", "counted", "found", "first", "cure")
    }
    return {
        **{name: getattr(fault, name) for name in _STORED},
        **texts,
        "examples": [asdict(example) for example in fault.examples],
    } | {"code": str(fault.code), "severity": str(fault.severity)}


def _fault_from_json(stored: Mapping[str, Any]) -> Fault:
    facts = {name: stored[name] for name in _STORED} | {"code": FaultCode(stored["code"])}
    return Fault(**facts, examples=tuple(Example(**example) for example in stored["examples"]))
