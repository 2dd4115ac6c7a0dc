"""The protocol and the list of commands, and the type of their whole numbers."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

CALLING = "trackside.cli.remote.calling"
# Name, module (or its attribute) and summary of each command. A module is imported when its command runs.
COMMANDS = {
    "check": ("trackside.cli.files.check", "list the faults of a run file and how to fix them"),
    "audit": ("trackside.auditing.command", "list faults of a collection before it is judged or released"),
    "score": ("trackside.cli.files.score", "values of measures for runs under qrels"),
    "pool": ("trackside.cli.files.pool", "choose documents to judge, with overlap and unique documents"),
    "fuse": ("trackside.cli.files.fuse", "combine several runs into one"),
    "baseline": ("trackside.retrieval.command", "a run of BM25 or of an encoder, to compare others with"),
    "vote": ("trackside.cli.files.vote", "one grade for each pair from the qrels of several judges"),
    "compare": ("trackside.cli.files.compare", "test which runs are better than which"),
    "correlate": ("trackside.cli.files.correlate", "tell how alike two rankings are"),
    "plan-topics": ("trackside.cli.files.plan_topics", "count the topics that tell two runs apart"),
    "replay": ("trackside.cli.files.loop.replay", "tell how many judgments each way of choosing pairs needs"),
    "plan": ("trackside.cli.files.loop.plan", "choose which pairs people grade next, with their chances"),
    "estimate": (
        "trackside.cli.files.loop.estimate",
        "values of runs from part of the grades, with intervals",
    ),
    "judge": ("trackside.grading.command", "let a model grade pairs of topics and documents"),
    "probe": ("trackside.grading.probe_command", "ask what a judge's grades depend on"),
    "report": ("trackside.cli.files.report", "measure how far other qrels can replace people's"),
    "check-favour": (
        "trackside.cli.files.check_favour",
        "list results for a third person that tell a judge's favour from people's errors",
    ),
    "login": ("trackside.cli.remote.login", "store your token for a site"),
    "submit": ("trackside.cli.remote.submit", "upload a run to a site and wait for its verdict"),
    "status": (
        "trackside.cli.remote.status",
        "list the tasks of a site or the runs of a task, or show a verdict",
    ),
    "download": (
        "trackside.cli.remote.download",
        "topics, documents, runs, qrels, values or the report's bundle of a task",
    ),
    "import": (
        "trackside.cli.remote.importing",
        "add topics, documents, baseline runs or qrels of a file to a task",
    ),
    "invite": (f"{CALLING}:INVITE", "invite people by mail to a role in a track"),
    "freeze-pool": (f"{CALLING}:FREEZE", "freeze a pool of a task's runs"),
    "assign-pool": (f"{CALLING}:ASSIGN", "give the items of a pool to the assessors"),
    "start-job": (f"{CALLING}:START", "let a judge grade a pool"),
    "publish-people": (f"{CALLING}:PUBLISH", "publish people's grades as qrels"),
    "publish-job": (f"{CALLING}:PUBLISH_JOB", "publish a judge's grades as qrels"),
    "call": (f"{CALLING}:CALL", "call any other operation of a site, or list them"),
    "completion": ("trackside.cli.completion", "print a script that completes commands in your shell"),
}


class CommandModule(Protocol):
    """A command module: an example, the definition of its arguments, and its action.

    It imports numpy, polars and modules that use them inside ``run``, so that help and completion are fast.
    """

    EXAMPLE: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the command and return the exit status. Raises InputError."""


def load(name: str) -> CommandModule:
    """Import the module of a command."""
    module_name, _, attribute = COMMANDS[name][0].partition(":")
    module = import_module(module_name)
    return cast("CommandModule", getattr(module, attribute) if attribute else module)


def parser_of(name: str, program: str = "trackside") -> argparse.ArgumentParser:
    """The argument parser of one command."""
    command = load(name)
    purpose = COMMANDS[name][1]
    parser = argparse.ArgumentParser(
        prog=f"{program} {name}",
        description=f"{purpose[0].upper()}{purpose[1:]}.",
        epilog=f"Example:\n  {command.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    return parser


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A parser of whole numbers from ``least`` to ``most``, for argparse's ``type``."""

    def read(text: str) -> int:
        is_number = text.isascii() and text.isdigit()
        if not is_number or int(text) < least or (most is not None and int(text) > most):
            bounds = f"from {least} up" if most is None else f"from {least} to {most}"
            raise argparse.ArgumentTypeError(f"'{text}': give a whole number {bounds}")
        return int(text)

    return read
