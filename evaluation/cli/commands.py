"""What every command is made of, and the list of them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

# Name, the module that has it, and what it does. Modules are loaded only when their command is run.
COMMANDS = {
    "check": ("evaluation.cli.check", "say what is wrong with a run file, and how to mend it"),
    "score": ("evaluation.cli.score", "values of measures for runs under qrels"),
    "pool": ("evaluation.cli.pool", "say which documents to judge, with overlap and unique documents"),
    "fuse": ("evaluation.cli.fuse", "make one run of several"),
    "compare": ("evaluation.cli.compare", "test which runs are better than which"),
    "report": ("evaluation.cli.report", "say how far other qrels can stand in for people's"),
    "login": ("evaluation.cli.login", "keep the token with which you sign in to a site"),
    "submit": ("evaluation.cli.submit", "upload a run to a site and wait for its verdict"),
    "status": ("evaluation.cli.status", "tasks of a site, runs of a task, or the verdict on a run"),
    "download": ("evaluation.cli.download", "topics, runs, qrels, values or the report's bundle of a task"),
    "completion": ("evaluation.cli.completion", "print a script that completes commands in your shell"),
}


class Command(Protocol):
    """A module in this package: an example, the arguments it takes, and what it does.

    It imports numpy, polars and what rests on them inside ``run``, so that help and completion come at once.
    """

    EXAMPLE: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declares the arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Does the work and gives the exit status. Raises InputError."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command, for shell completion."""

    flags: tuple[str, ...]
    choices: tuple[str, ...]


def load(name: str) -> Command:
    """The module of a command."""
    return cast("Command", import_module(COMMANDS[name][0]))


def parser_of(name: str, program: str = "trackside") -> argparse.ArgumentParser:
    """The argument parser of one command."""
    command = load(name)
    parser = argparse.ArgumentParser(
        prog=f"{program} {name}",
        description=COMMANDS[name][1].capitalize() + ".",
        epilog=f"Example:\n  {command.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    return parser


def options_of(parser: argparse.ArgumentParser) -> list[Option]:
    """The options of a parser."""
    return [
        Option(tuple(action.option_strings), tuple(str(choice) for choice in action.choices or ()))
        for action in parser._actions  # noqa: SLF001 - argparse has no public list of them
        if action.option_strings
    ]
