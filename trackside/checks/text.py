"""A verdict as plain text: what `trackside check` prints and the site offers as a file."""

from collections.abc import Iterator

from trackside.checks.verdict import Example, Fault, FileSummary, Verdict
from trackside.text.shown import visible_line


def verdict_text(verdict: Verdict, name: str) -> str:
    """The verdict on the file called ``name``; faulty parts are between » and «.

    Invisible characters and terminal controls are escaped as in Python: \\xa0, \\x1b.
    """
    return "".join(f"{visible_line(line)}\n" for line in _lines(verdict, name))


def _lines(verdict: Verdict, name: str) -> Iterator[str]:
    if verdict.is_accepted:
        yield f"Accepted: {name}"
    else:
        kinds = len(verdict.faults)
        yield f"Rejected: {name}, {kinds} kind{'s' * (kinds != 1)} of fault to fix"
    if verdict.ids:
        yield f"  {verdict.ids}"
    for fault in verdict.faults:
        yield ""
        yield from _fault(fault)
        yield f"  To fix: {fault.cure}"
    if verdict.warnings:
        yield ""
        yield "Corrected for you" if verdict.is_accepted else "Would be corrected for you"
    for fault in verdict.warnings:
        note = f" {fault.note}" if fault.note else ""
        yield f"  {fault.title} ({_where(fault)}).{note} {fault.cure}"
        yield from (f"    {_example(example)}" for example in fault.examples if str(example))
    yield ""
    yield "Your file at a glance"
    yield from _summary(verdict.summary)


def _fault(fault: Fault) -> Iterator[str]:
    yield f"{fault.title} ({_where(fault)})"
    if fault.note:
        yield f"  {fault.note}"
    for example in fault.examples:
        yield f"  {_example(example)}"


def _where(fault: Fault) -> str:
    return fault.found + (f", first at {fault.first}" if fault.first else "")


def _example(example: Example) -> str:
    number = "" if example.line is None else f"{example.line}  "
    marked = f"»{example.fault}«" if example.fault else ""
    hint = f"   ({example.hint})" if example.hint else ""
    return f"{number}{example.before}{marked}{example.after}{hint}"


def _summary(summary: FileSummary) -> Iterator[str]:
    known = "" if summary.known_count is None else f", {summary.known_count:,} known"
    yield f"  Tag              {summary.tag or '(none)'}"
    yield f"  Lines            {summary.line_count:,}"
    yield f"  Topics           {summary.topic_count:,} of {summary.expected_topic_count:,}"
    if summary.least is not None:
        yield f"  Results a topic  {summary.least:,} to {summary.most:,}, median {summary.median:,}"
    yield f"  Documents        {summary.docno_count:,} distinct{known}"
    if summary.lowest_score is not None:
        order = ", descending" if summary.is_descending else ""
        yield f"  Scores           {summary.lowest_score:g} to {summary.highest_score:g}{order}"
    packing = f"{summary.packing}, " if summary.packing else ""
    yield f"  Size             {packing}{summary.byte_count:,} bytes unpacked"
