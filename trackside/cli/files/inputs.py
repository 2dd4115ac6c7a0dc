"""Runs and qrels named on the command line."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from trackside.cli.progress import open_with_progress, with_progress
from trackside.errors import InputError
from trackside.files import Oddity, Qrels, Rankings
from trackside.files.corpora import Corpus, oddities_of
from trackside.files.streams import file_stem
from trackside.measuring import Evaluation
from trackside.measuring.corpora import short_rankings
from trackside.measuring.meetings import Meeting
from trackside.text.shown import visible_line


def read_qrels(arguments: Sequence[str], *, is_sampled: bool = False) -> list[Qrels]:
    """Read qrels from FILE or NAME=FILE; the default name is the file's. Raises InputError."""
    sets: list[Qrels] = []
    for argument in arguments:
        name, path = named(argument)
        qrels = Qrels.from_file(path, name=name or file_stem(path), is_sampled=is_sampled)
        warn(path, qrels.oddities)
        if any(other.name == qrels.name for other in sets):
            raise InputError(f"two qrels are called {qrels.name}. Tell them apart with --qrels NAME={path}.")
        sets.append(qrels)
    return sets


def read_corpora(arguments: Sequence[str]) -> list[Corpus]:
    """Read lists of docnos from FILE or NAME=FILE; say what is odd about them. Raises InputError."""
    corpora: list[Corpus] = []
    for argument in arguments:
        name, path = named(argument)
        corpus = Corpus.from_file(path, name=name or file_stem(path))
        if any(other.name == corpus.name for other in corpora):
            raise InputError(f"two corpora are called {corpus.name}. Name them with --corpus NAME={path}.")
        corpora.append(corpus)
    for line in oddities_of(corpora):
        sys.stderr.write(f"warning: {line}\n")
    return corpora


def read_runs(arguments: Sequence[str], *, single: bool = False) -> Iterator[Rankings]:
    """Read runs lazily from FILE or NAME=FILE, so that only one is in memory at a time. The default name is
    the tag in the file, or the file's name if another run has that tag.

    Progress and warnings go to standard error. Raises InputError.
    """
    seen: set[str] = set()
    for argument in with_progress(arguments, len(arguments), "runs"):
        name, path = named(argument)
        with open_with_progress(path) as source:
            run = Rankings.from_file(source, tag=name or None, single=single)
        warn(path, run.oddities)
        if not name and run.tag in seen:
            sys.stderr.write(f"warning: {path}: an earlier run has the tag {run.tag}; named by its file\n")
            run.tag = file_stem(path)
        if run.tag in seen:
            raise InputError(f"two runs are called {run.tag}. Tell them apart with NAME={path}.")
        seen.add(run.tag)
        yield run


def named(argument: str) -> tuple[str, str]:
    """Name (empty if not given) and path."""
    name, equals, path = argument.partition("=")
    return (name, path) if equals and not Path(argument).exists() else ("", argument)


def warn(path: str, oddities: Iterable[Oddity]) -> None:
    """Write one line to standard error for each kind of oddity."""
    for oddity in oddities:
        sys.stderr.write(f"warning: {path}: {oddity}\n")


def warn_of_ids(evaluation: Evaluation) -> list[Meeting]:
    """Write one line to standard error for each run whose ids hardly meet those of qrels; return all."""
    meetings = [meeting for of_run in evaluation.meetings for meeting in of_run]
    for meeting in meetings:
        if line := visible_line(meeting.line):
            sys.stderr.write(f"warning: {meeting.run} under {meeting.qrels}: {line}\n")
    for line in short_rankings(evaluation):
        sys.stderr.write(f"warning: {line}\n")
    return meetings
