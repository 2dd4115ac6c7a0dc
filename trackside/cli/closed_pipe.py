"""What every command does when the reader of its output, such as head or less, has exited."""

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

CLOSED_PIPE = 128 + signal.SIGPIPE  # the shell's status of Unix tools that this signal ends


@contextmanager
def quiet_on_closed_pipe() -> Iterator[None]:
    """End the command without a message, with status 141, if the reader of standard output has exited."""
    try:
        try:
            yield
        except SystemExit:  # argparse, after printing help
            _flush()
            raise
        _flush()
    except BrokenPipeError:
        output = select.poll()
        output.register(sys.stdout, 0)  # errors alone
        if not output.poll(0):  # a socket broke
            raise
        discard_output()
        sys.exit(CLOSED_PIPE)


def discard_output() -> None:
    """Discard what the interpreter would flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
