"""Resource limits that a process sets on itself before it reads untrusted bytes."""

from __future__ import annotations

import ctypes
import resource
import signal
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_PR_SET_NO_NEW_PRIVS = 38
_LEAST_MEMORY = 256_000_000
_MEMORY_A_BYTE = 8
_OPEN_FILES = 64
OUT_OF_MEMORY = 70  # the exit code of a sandbox that ran out of memory


@dataclass(frozen=True, slots=True)
class Limits:
    """``memory`` limits the whole process with its libraries, ``written`` the size of files it writes.

    ``silence_seconds`` limits the time in which the process neither sends a message nor uses the processor.
    The clock on the wall is no limit: a busy machine would blame the file.
    """

    memory: int  # bytes
    cpu_seconds: int
    silence_seconds: float
    written: int = 8 << 30  # bytes

    @classmethod
    def for_file(cls, size: int, *, cpu_seconds: int, silence_seconds: float) -> Limits:
        """Limits with memory of 256 MB or eight times the file's size, whichever is larger."""
        return cls(max(_LEAST_MEMORY, _MEMORY_A_BYTE * size), cpu_seconds, silence_seconds)

    def to_json(self) -> dict[str, Any]:
        """Plain values for ``Limits(**values)``."""
        return asdict(self)


def limit_first(limits: Limits) -> None:
    """Set the first limits: processor time, files, no core dump, no new privileges, death with the parent."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.written, limits.written))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))


def limit_memory(limits: Limits) -> None:
    """Limit the address space to the current mappings, with all libraries loaded, plus the allowed growth.

    Libraries map gigabytes that they never touch, so a limit on the total would mean nothing.
    """
    mapped, resident = map(int, Path("/proc/self/statm").read_text().split()[:2])
    most = (mapped - resident) * resource.getpagesize() + limits.memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def peak_bytes() -> int:
    """Peak resident memory of this process in bytes. getrusage's value includes the parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024
