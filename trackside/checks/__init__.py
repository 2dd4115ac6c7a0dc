"""Strict check of a run file that reports all faults in one pass, by kind, with their fixes."""

from trackside.checks.checks import check_run
from trackside.checks.codes import KINDS, FaultCode, FaultKind, Severity
from trackside.checks.docnos import DocnoFile
from trackside.checks.text import verdict_text
from trackside.checks.verdict import Example, Fault, FileSummary, Verdict

__all__ = [
    "KINDS",
    "DocnoFile",
    "Example",
    "Fault",
    "FaultCode",
    "FaultKind",
    "FileSummary",
    "Severity",
    "Verdict",
    "check_run",
    "verdict_text",
]
