"""Trains the tiny models, each in its own process, in parallel with this one."""

import multiprocessing
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from evaluation.demo.progress import Progress
from evaluation.hosting.children import name_process, tie_to_parent
from trackside.errors import InputError

# A new interpreter. A fork may hang: it inherits locks that other threads hold, and waits for the response to
# a read that was pending on a connection to the broker.
SPAWN = multiprocessing.get_context("spawn")

Train: TypeAlias = Callable[[Progress], Path]
"""Returns the folder of a model; trains the model if it is missing. It can be pickled."""
Step: TypeAlias = tuple[int, int, str]


class TrainingProcess:
    """A training in another process, started on demand."""

    def __init__(self, connection: "Connection[str, Step | Path]") -> None:
        self._connection = connection
        self._is_begun = False
        self._folder: Path | None = None

    def begin(self) -> None:
        """Start the training unless it has started."""
        if not self._is_begun:
            self._connection.send("begin")
            self._is_begun = True

    def folder(self, progress: Progress) -> Path:
        """Start the training, wait for its end and return the model's folder. Raises InputError."""
        self.begin()
        while self._folder is None:
            latest = self._latest()
            if isinstance(latest, Path):
                self._folder = latest
            else:
                progress(*latest)
        return self._folder

    def _latest(self) -> Step | Path:
        """Return the newest message of the training; wait if there is none."""
        try:
            latest = self._connection.recv()
            while self._connection.poll() and not isinstance(latest, Path):
                latest = self._connection.recv()
        except EOFError as error:
            raise InputError("The tiny model was not trained. The output above says why.") from error
        return latest


@contextmanager
def training(train: Train) -> Iterator[TrainingProcess]:
    """Provide a training within the block; leaving the block stops a training that still runs."""
    ours, theirs = SPAWN.Pipe()
    target = (train, theirs, tie_to_parent(signal.SIGTERM))
    process = SPAWN.Process(target=_run, args=target, name="training")
    process.start()
    theirs.close()
    try:
        yield TrainingProcess(ours)
    finally:
        process.terminate()
        process.join()
        ours.close()


def _run(train: Train, connection: "Connection[Step | Path, str]", tie: Callable[[], None]) -> None:
    tie()
    name_process("training")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command gets Ctrl-C and terminates us
    signal.signal(signal.SIGTERM, _exit)
    connection.recv()
    connection.send(train(partial(_report, connection)))


def _report(connection: "Connection[Step | Path, str]", *step: *Step) -> None:
    """Send the progress; drop it if the pipe is full, so that the training never waits for its reader."""
    _, is_writable, _ = select.select([], [connection], [], 0)
    if is_writable:
        connection.send(step)


def _exit(_number: int, _frame: object) -> None:
    """Exit by an exception, so that the cleanup removes a partial model."""
    raise SystemExit(0)
