"""Medians taken in turn, peak memory of a fresh process, and the rows of the table that is printed."""

import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

ROUNDS = 3
# getrusage's peak also counts the process that started this one.
PEAK = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"


@dataclass(frozen=True)
class Row:
    """One line: what was measured, the figure, its bound, and the comparison."""

    what: str
    figure: str
    target: str = ""
    beside: str = ""
    is_met: bool | None = None

    @classmethod
    def faster(cls, what: str, own: float, peers: Mapping[str, float], *, least: float, aim: float) -> Self:
        """The fastest peer's seconds divided by ours."""
        ratio = min(peers.values()) / own
        reached = f"{ratio:.1f}x" + (", the aim" if ratio >= aim else "")
        beside = "; ".join(f"{name} {seconds_text(each)}" for name, each in {"ours": own, **peers}.items())
        return cls(what, reached, f"{least:g}x, aim {aim:g}x", beside, ratio >= least)

    @classmethod
    def below(cls, what: str, ratio: float, most: float, beside: str = "") -> Self:
        """A ratio that has to stay under a bound."""
        return cls(what, f"{ratio:.2f}x", f"under {most:g}x", beside, ratio < most)

    @classmethod
    def growth(cls, what: str, costs: Mapping[float, float], most: float, unit: str = "s") -> Self:
        """The exponent with which a cost grows with the size; costs of at least three sizes."""
        exponent = growth_exponent(costs)
        beside = "; ".join(f"{size:,g}: {cost:.3g} {unit}" for size, cost in costs.items())
        return cls(what, f"exponent {exponent:.2f}", f"under {most:g}", beside, exponent < most)

    def line(self, *, is_stale: bool = False) -> str:
        """The row as Markdown; a stale one, of code that has changed since, is never said to be met."""
        verdict = {True: "met", False: "missed", None: ""}[self.is_met]
        verdict = "stale" if is_stale and verdict == "met" else verdict
        return f"| {self.what} | {self.figure} | {self.target} | {verdict} | {self.beside} |"

    def __str__(self) -> str:
        return self.line()


HEADER = "| what | measured | target | | beside |\n|---|---|---|---|---|"


def growth_exponent(costs: Mapping[float, float]) -> float:
    """The least-squares slope of log cost over log size: 1 if the cost grows in proportion to the size."""
    sizes, logs = [math.log(each) for each in costs], [math.log(each) for each in costs.values()]
    return statistics.linear_regression(sizes, logs).slope


def seconds_text(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s"


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, and of processor in user and system together."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{seconds_text(self.wall)} ({self.cpu:.3f} s of processor)"


def fresh_costs(commands: Mapping[str, Sequence[str]], rounds: int = ROUNDS) -> dict[str, Cost]:
    """Median cost of each command, started in strict alternation, after one of each that warms the files."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            costs[name].append(_fresh_cost(command))
    return {
        name: Cost(
            statistics.median(cost.wall for cost in found[1:]),
            statistics.median(cost.cpu for cost in found[1:]),
        )
        for name, found in costs.items()
    }


def _fresh_cost(command: Sequence[str]) -> Cost:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(wall, usage.ru_utime + usage.ru_stime)


def medians(
    tasks: Mapping[str, Callable[[], object]],
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median seconds of each task, taken in turn so that a busy machine slows all alike, after a warm-up.

    With ``time.process_time`` as ``clock``, seconds of processor in all threads.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            start = clock()
            task()
            times[name].append(clock() - start)
    return {name: statistics.median(taken[1:]) for name, taken in times.items()}


def seconds(task: Callable[[], object]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def peak_bytes(code: str) -> int:
    """Peak memory of a fresh interpreter that runs some code, its libraries included."""
    run = subprocess.run([sys.executable, "-c", code + PEAK], capture_output=True, text=True, check=True)
    return int(run.stdout.split()[-1]) * 1024
