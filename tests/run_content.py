"""What runs of the factories hold: file, scores and verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.models import RunState
from trackside.checks import Fault, FaultCode, FileSummary, Verdict


def verdict_of(state: RunState, tag: str) -> Verdict:
    faults = (Fault(FaultCode.EMPTY_FILE, 1),) if state == RunState.REJECTED else ()
    return Verdict(faults, (), FileSummary(tag=tag))


def scores_of(docnos: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.arange(len(docnos), 0, -1, dtype=np.float64)


def run_file(tag: str, results: Mapping[str, Sequence[str]]) -> bytes:
    lines = [
        f"{topic} Q0 {docno} {rank} {score} {tag}\n"
        for topic, docnos in results.items()
        for rank, (docno, score) in enumerate(zip(docnos, scores_of(docnos), strict=True), start=1)
    ]
    return "".join(lines).encode()
