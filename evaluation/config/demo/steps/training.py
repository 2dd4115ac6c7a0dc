"""The tiny models, each trained in a process of its own while this one does other things."""

import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from evaluation.config.children import name_process, tie_to_parent
from evaluation.config.demo.progress import Progress
from evaluation.config.process_tree import FORK
from evaluation.core.errors import InputError

Train: TypeAlias = Callable[[Progress], Path]
"""Gives the folder of a model, training it where it is not there yet."""
Told: TypeAlias = tuple[int, int, str]


class ModelNotTrained(InputError):
    """The process that trains it ended without one."""


class Training:
    """A training that waits to be begun."""

    def __init__(self, connection: "Connection[str, Told | Path]") -> None:
        self._connection = connection
        self._is_begun = False
        self._folder: Path | None = None

    def begin(self) -> None:
        """Have it begin, unless it has."""
        if not self._is_begun:
            self._connection.send("begin")
            self._is_begun = True

    def folder(self, tell: Progress) -> Path:
        """Begin it, wait for its end and give the model's folder. Raises ModelNotTrained."""
        self.begin()
        while self._folder is None:
            told = self._latest()
            if isinstance(told, Path):
                self._folder = told
            else:
                tell(*told)
        return self._folder

    def _latest(self) -> Told | Path:
        """Give the newest of what the training has said, or wait for it to speak."""
        try:
            told = self._connection.recv()
            while self._connection.poll() and not isinstance(told, Path):
                told = self._connection.recv()
        except EOFError as error:
            raise ModelNotTrained("The tiny model was not trained. What went wrong stands above.") from error
        return told


@contextmanager
def training(train: Train) -> Iterator[Training]:
    """Have a training at hand for the length of the block; leaving it stops a training that still runs.

    The process is a fork: enter the block before this process starts threads or runs torch.
    """
    ours, theirs = FORK.Pipe()
    target = (train, theirs, tie_to_parent(signal.SIGTERM))
    process = FORK.Process(target=_run, args=target, name="training")
    process.start()
    theirs.close()
    try:
        yield Training(ours)
    finally:
        process.terminate()
        process.join()
        ours.close()


def _run(train: Train, connection: "Connection[Told | Path, str]", tie: Callable[[], None]) -> None:
    tie()
    name_process("training")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the command, which then ends us
    signal.signal(signal.SIGTERM, _leave)
    connection.recv()
    connection.send(train(partial(_tell, connection)))


def _tell(connection: "Connection[Told | Path, str]", *told: *Told) -> None:
    """Say how far it is, unless nobody has listened for long: the training does not wait for that."""
    _, is_writable, _ = select.select([], [connection], [], 0)
    if is_writable:
        connection.send(told)


def _leave(_number: int, _frame: object) -> None:
    """End by an exception, so that no half a model stays."""
    raise SystemExit(0)
