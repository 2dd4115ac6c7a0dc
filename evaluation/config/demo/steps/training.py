"""The tiny models, trained one after the other in a process of their own while this one does other things."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


class Trainer:
    """The process that trains, seen from here: one model at a time, in the order of their beginnings."""

    def __init__(self, connection: "Connection[int, Told | Path]") -> None:
        self._connection = connection
        self._begun: list[int] = []
        self._folders: list[Path] = []  # of those begun, as far as they are done

    def begin(self, number: int) -> None:
        """Have it train this model, once it is done with those begun before."""
        if number not in self._begun:
            self._connection.send(number)
            self._begun.append(number)

    def folder(self, number: int, tell: Progress) -> Path:
        """Wait for the folder of a model that is begun. Raises ModelNotTrained."""
        place = self._begun.index(number)
        while len(self._folders) <= place:
            told = self._latest()
            if isinstance(told, Path):
                self._folders.append(told)
            else:
                tell(*told)
        return self._folders[place]

    def _latest(self) -> Told | Path:
        """Give the newest of what the training has said, or wait for it to speak."""
        try:
            told = self._connection.recv()
            while self._connection.poll() and not isinstance(told, Path):
                told = self._connection.recv()
        except EOFError as error:
            raise ModelNotTrained("The tiny model was not trained. What went wrong stands above.") from error
        return told


class Training:
    """A training that waits to be begun."""

    def __init__(self, trainer: Trainer, number: int) -> None:
        self._trainer, self._number = trainer, number

    def begin(self) -> None:
        """Have it begin, unless it has."""
        self._trainer.begin(self._number)

    def folder(self, tell: Progress) -> Path:
        """Begin it, wait for its end and give the model's folder. Raises ModelNotTrained."""
        self.begin()
        return self._trainer.folder(self._number, tell)


@contextmanager
def trainings(*trains: Train) -> Iterator[list[Training]]:
    """Have trainings at hand for the length of the block; leaving it stops one that still runs.

    They share a process, with the libraries it loads and the pictures it draws, and so leave the other of two
    cores to the site. The process is a fork: enter the block before this one starts threads or runs torch.
    """
    ours, theirs = FORK.Pipe()
    target = (trains, theirs, tie_to_parent(signal.SIGTERM))
    process = FORK.Process(target=_run, args=target, name="training")
    process.start()
    theirs.close()
    trainer = Trainer(ours)
    try:
        yield [Training(trainer, number) for number in range(len(trains))]
    finally:
        process.terminate()
        process.join()
        ours.close()


def _run(
    trains: tuple[Train, ...], connection: "Connection[Told | Path, int]", tie: Callable[[], None]
) -> None:
    tie()
    name_process("training")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the command, which then ends us
    signal.signal(signal.SIGTERM, _leave)
    while True:
        train = trains[connection.recv()]
        connection.send(train(lambda *told: connection.send(told)))


def _leave(_number: int, _frame: object) -> None:
    """End by an exception, so that no half a model stays."""
    raise SystemExit(0)
