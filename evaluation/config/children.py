"""What every child of the process tree does first: tie its life to its parent's."""

import ctypes
import os
import signal
from collections.abc import Callable

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_NAME = 15
LIBC = ctypes.CDLL(None, use_errno=True)  # loaded before any fork: a child must not run the loader


def tie_to_parent(signal_number: signal.Signals) -> Callable[[], None]:
    """Return what a child calls so that the kernel sends it a signal when its parent dies, even by kill -9.

    Call it in the parent, the result in the child: after a change of user (which undoes it) and before exec
    (which keeps it). The kernel watches the thread that forked, so fork from the main thread.
    """
    parent = os.getpid()

    def tie() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, int(signal_number))
        if os.getppid() != parent:  # it died before the line above
            os.kill(os.getpid(), signal.SIGKILL)

    return tie


def name_process(name: str) -> None:
    """Set the name that `ps -o comm` and `top` show; the kernel keeps 15 bytes."""
    LIBC.prctl(PR_SET_NAME, name.encode()[:15])
