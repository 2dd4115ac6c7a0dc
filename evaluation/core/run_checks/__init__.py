"""Strict check of a run file that reports all faults in one pass, by kind, with their fixes."""

from evaluation.core.run_checks.checks import check_run
from evaluation.core.run_checks.codes import KINDS, FaultCode, FaultKind, Severity
from evaluation.core.run_checks.docnos import DocnoFile, NoDocnos
from evaluation.core.run_checks.text import verdict_text
from evaluation.core.run_checks.verdict import Example, Fault, FileSummary, Verdict

__all__ = [
    "KINDS",
    "DocnoFile",
    "Example",
    "Fault",
    "FaultCode",
    "FaultKind",
    "FileSummary",
    "NoDocnos",
    "Severity",
    "Verdict",
    "check_run",
    "verdict_text",
]
