"""Setup of child processes: kill them when their parent dies, share memory with them, and name them."""

import ctypes
import gc
import os
import signal
from collections.abc import Callable
from functools import partial

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_NAME = 15
LIBC = ctypes.CDLL(None, use_errno=True)  # loaded before any fork: a child must not run the loader


def tie_to_parent(signal_number: signal.Signals) -> Callable[[], None]:
    """Return a function by which a child requests a signal when its parent dies, even by kill -9.

    Call this in the parent and the result in the child: after a change of user, which resets the request, and
    before exec, which preserves it. The kernel watches the forking thread, so fork from the main thread.
    The result can be pickled.
    """
    return partial(_tie, os.getpid(), signal_number)


def _tie(parent: int, signal_number: signal.Signals) -> None:
    LIBC.prctl(PR_SET_PDEATHSIG, int(signal_number))
    if os.getppid() != parent:  # the parent died before the line above
        os.kill(os.getpid(), signal.SIGKILL)


def share_memory() -> None:
    """Exempt all objects from garbage collection, which would copy their pages in forked children."""
    gc.collect()
    gc.freeze()


def name_process(name: str) -> None:
    """Set the name that `ps -o comm` and `top` show; the kernel truncates it to 15 bytes."""
    LIBC.prctl(PR_SET_NAME, name.encode()[:15])
