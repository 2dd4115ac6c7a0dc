"""`trackside completion`: a script for bash, zsh or fish, which shtab writes from the commands' parsers."""

import argparse
import sys

import shtab

from trackside.cli.commands import COMMANDS, parser_of

EXAMPLE = 'eval "$(trackside completion bash)"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell to complete in")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    whole = argparse.ArgumentParser(prog="trackside")
    commands = whole.add_subparsers()
    for name, (_, does) in COMMANDS.items():
        parser = parser_of(name)
        for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
            if action.nargs != 0 and not action.choices:  # its values are completed as file names
                action.complete = shtab.FILE  # type: ignore[attr-defined] # where shtab looks for it
        commands.add_parser(name, help=does, parents=[parser], add_help=False)
    sys.stdout.write(shtab.complete(whole, arguments.shell))
    return 0
