"""Tells a part that starts slowly, on a busy machine, from one that waits for something in vain."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

LOOK_SECONDS = 2.0  # between two looks at the processes
WINDOW_SECONDS = 120.0
LEAST_WORK = (
    0.5  # seconds of processor time in a window; a part that asks a server again and again needs less
)
MOST_WORK = 600.0  # seconds of processor time of a whole start, which takes about five
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Progress:
    """The processor time of a session since its start; all times are seconds."""

    session: int
    looked_at: float = field(default_factory=time.monotonic)
    window_began: float = field(default_factory=time.monotonic)
    work_before: float = 0.0

    def has_stalled(self) -> bool:
        """Return whether the session worked too little in the last window, or too much in all."""
        now = time.monotonic()
        if now - self.looked_at < LOOK_SECONDS:
            return False
        self.looked_at, work = now, processor_seconds(self.session)
        if now - self.window_began < WINDOW_SECONDS:
            return work > MOST_WORK
        is_idle = work - self.work_before < LEAST_WORK
        self.window_began, self.work_before = now, work
        return is_idle or work > MOST_WORK


def processor_seconds(session: int) -> float:
    """Return the processor time of the processes in a session, and of their children that have ended."""
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS
