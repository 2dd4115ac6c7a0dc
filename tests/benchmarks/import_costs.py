"""What an import takes: seconds, processor time and peak memory of the worker, its sandbox and PostgreSQL."""

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

EVERY = 0.02  # seconds
TICKS = os.sysconf("SC_CLK_TCK")
PARTS = ("worker", "sandbox", "PostgreSQL")


@dataclass
class ImportCost:
    """``cpu`` and ``memory`` are seconds and peak MB by part; shared buffers do not count as memory."""

    wall: float = 0.0
    cpu: dict[str, float] = field(default_factory=dict)
    memory: Counter[str] = field(default_factory=Counter)

    def rate(self, rows: int) -> float:
        """Rows a second."""
        return rows / self.wall

    def cpu_rate(self, rows: int) -> float:
        """Rows a second of processor, of all parts together: as many as one core handles."""
        return rows / sum(self.cpu.values())

    def cpu_text(self) -> str:
        """Processor time of all parts, and of each."""
        parts = ", ".join(f"{name} {self.cpu[name]:.1f}" for name in PARTS)
        return f"{sum(self.cpu.values()):.1f} s of processor ({parts})"

    def memory_text(self) -> str:
        """Peak memory of each part."""
        return "; ".join(f"{name} {self.memory[name]:.0f} MB" for name in PARTS)


@contextmanager
def import_cost() -> Iterator[ImportCost]:
    """Measure the block; the sandbox is seen if it lives for longer than EVERY."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ((server,),) = cursor.fetchall()
    cost, is_over = ImportCost(), threading.Event()
    Path("/proc/self/clear_refs").write_text("5")  # resets the worker's peak
    before = {part: _cpu(process) for part, process in (("worker", os.getpid()), ("PostgreSQL", server))}
    children = os.times()
    watch = threading.Thread(target=_watch, args=(cost, server, is_over), daemon=True)
    watch.start()
    begun = perf_counter()
    yield cost
    cost.wall = perf_counter() - begun
    is_over.set()
    watch.join()
    own, ended = (_cpu(os.getpid()), _cpu(server)), os.times()
    cost.cpu["worker"] = own[0] - before["worker"]
    cost.cpu["PostgreSQL"] = own[1] - before["PostgreSQL"]
    cost.cpu["sandbox"] = (
        ended.children_user + ended.children_system - children.children_user - children.children_system
    )


def _watch(cost: ImportCost, server: int, is_over: threading.Event) -> None:
    while not is_over.wait(EVERY):
        found = {"worker": _memory(os.getpid(), "VmHWM"), "PostgreSQL": _memory(server, "RssAnon")}
        children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        found["sandbox"] = sum(_memory(int(child), "VmHWM") for child in children if _is_started(child))
        for part, megabytes in found.items():
            cost.memory[part] = max(cost.memory[part], round(megabytes))


def _is_started(child: str) -> bool:
    """Whether a child runs its own program; a new one has this process's memory."""
    try:
        return Path(f"/proc/{child}/cmdline").read_bytes() != Path("/proc/self/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _memory(process: int, name: str) -> float:
    """Megabytes of a process; 0 after its end."""
    try:
        status = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status if line.startswith(name)), 0.0)
