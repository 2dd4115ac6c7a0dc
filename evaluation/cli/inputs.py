"""Runs and qrels named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.cli.progress import shown, watched
from evaluation.core.errors import InputError
from evaluation.core.trec_files import Qrels, Rankings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evaluation.core.trec_files import Oddity


class NamedTwice(InputError):
    """Two sets of qrels would have the same name in the output."""


def read_qrels(arguments: Sequence[str], *, is_sampled: bool = False) -> list[Qrels]:
    """Qrels from FILE or NAME=FILE; without a name the file's stands. Raises InputError."""
    sets: list[Qrels] = []
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not equals or Path(argument).exists():
            name, path = file_stem(argument), argument
        qrels = Qrels.from_file(path, name=name, is_sampled=is_sampled)
        warn(path, qrels.oddities)
        if any(each.name == name for each in sets):
            raise NamedTwice(f"two qrels are called {name}. Tell them apart with --qrels NAME={path}.")
        sets.append(qrels)
    return sets


def read_runs(paths: Sequence[str], *, single: bool = False) -> Iterator[Rankings]:
    """Runs one after another, so that one is held at a time; progress and warnings go to standard error."""
    for path in shown(paths, len(paths), "runs"):
        with watched(path) as source:
            run = Rankings.from_file(source, single=single)
        warn(path, run.oddities)
        yield run


def warn(path: str, oddities: Iterable[Oddity]) -> None:
    """One line on standard error for each kind of oddity."""
    for oddity in oddities:
        sys.stderr.write(f"warning: {path}: {oddity}\n")


def file_stem(path: str) -> str:
    """The name of a file without its packing."""
    name = "stdin" if path == "-" else Path(path).name
    for ending in (".gz", ".zst", ".bz2"):
        name = name.removesuffix(ending)
    return name
