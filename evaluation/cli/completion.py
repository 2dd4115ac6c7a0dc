"""`trackside completion`: a completion script for bash, zsh or fish, generated from the commands' parsers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from evaluation.cli.commands import COMMANDS, options_of, parser_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from evaluation.cli.commands import Option

EXAMPLE = 'eval "$(trackside completion bash)"'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell to complete in")


def run(arguments: argparse.Namespace) -> int:
    """Prints the script."""
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    sys.stdout.write(writers[arguments.shell]())
    return 0


def _bash() -> str:
    cases = []
    for name in COMMANDS:
        options = options_of(parser_of(name))
        flags = [flag for option in options for flag in option.flags]
        choices = "".join(
            f"\n      {'|'.join(option.flags)}) {_bash_words(option.choices)}; return ;;"
            for option in options
            if option.choices
        )
        cases.append(
            f"    {name}) case $previous in{choices}\n      esac\n"
            f"      [[ $word == -* ]] && {_bash_words(flags)} ;;\n"
        )
    return (
        "_trackside() {\n"
        '  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"\n'
        "  COMPREPLY=()\n"
        f"  if [[ $COMP_CWORD == 1 ]]; then {_bash_words(COMMANDS)}; return; fi\n"
        '  case "${COMP_WORDS[1]}" in\n' + "".join(cases) + "  esac\n}\n"
        "complete -o default -F _trackside trackside\n"
    )


def _bash_words(words: Iterable[str]) -> str:
    return f"COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\"))"


def _zsh() -> str:
    return f"autoload -U +X bashcompinit && bashcompinit\n{_bash()}"


def _fish() -> str:
    lines = [
        f"complete -c trackside -n __fish_use_subcommand -f -a {name} -d {_fish_quoted(does)}"
        for name, (_, does) in COMMANDS.items()
    ]
    for name in COMMANDS:
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        lines += [
            f"complete -c trackside {seen} {_fish_option(option)}" for option in options_of(parser_of(name))
        ]
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    return f"{flags} -x -a {_fish_quoted(' '.join(option.choices))}" if option.choices else flags


def _fish_quoted(text: str) -> str:
    """The text in single quotes, in which only backslashes and quotes are special to fish."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
