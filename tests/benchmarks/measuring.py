"""Medians taken in turn, peak memory of a fresh process, and the rows that are printed."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """One printed line."""

    what: str
    figure: str
    target: str = ""
    beside: str = ""

    def __str__(self) -> str:
        return f"{self.what:<64} {self.figure:>14}  {self.target:<18} {self.beside}"


def medians(tasks: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Median seconds of each task, taken in turn so that a busy machine slows all alike, after a warm-up."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken[1:]) for name, taken in times.items()}


def peak_bytes(code: str) -> int:
    """Peak memory of a fresh interpreter that runs some code."""
    whole = f"{code}\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    run = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    return int(run.stdout.split()[-1]) * 1024
