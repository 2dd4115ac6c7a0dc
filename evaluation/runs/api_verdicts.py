"""The verdict of a check, field for field as the command line prints it."""

from ninja import Schema

from trackside.checks import FaultCode, Severity


class ExampleOut(Schema):
    """A line that shows a fault, the faulty part between ``before`` and ``after``."""

    line: int | None
    before: str
    fault: str
    after: str
    hint: str


class FaultOut(Schema):
    """All faults of one kind in a file, and how to fix them."""

    code: FaultCode
    count: int
    first_line: int | None
    first_topic: str | None
    topic_count: int | None
    note: str
    severity: Severity
    title: str
    unit: str
    counted: str
    found: str
    first: str
    cure: str
    examples: list[ExampleOut]


class SummaryOut(Schema):
    """Summary of the file."""

    tag: str
    line_count: int
    topic_count: int
    expected_topic_count: int
    docno_count: int
    known_count: int | None
    lowest_score: float | None
    highest_score: float | None
    is_descending: bool
    q0_count: int
    packing: str | None
    byte_count: int
    results: list[tuple[str, int]]
    least: int | None
    median: int | None
    most: int | None


class VerdictOut(Schema):
    """Whether a run file is accepted, and all findings."""

    is_accepted: bool
    faults: list[FaultOut]
    warnings: list[FaultOut]
    summary: SummaryOut
