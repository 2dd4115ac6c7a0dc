"""`trackside`: finds and runs the command, and prints errors in one sentence."""

import gc
import os
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper

from trackside.cli.commands import COMMANDS, load, parser_of
from trackside.errors import InputError

FAILED = 2
# Packages that some commands need, and a plain installation lacks, with the extra that brings them.
EXTRAS = {"PIL": "baselines", "aiohttp": "endpoints", "bm25s": "baselines", "openai": "endpoints"}
# Imports create some 60,000 objects and no garbage. With Python's threshold of 700, collections take 5 % of
# the time of a short command.
_OBJECTS_BETWEEN_COLLECTIONS = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status, or 2 for invalid arguments or input.

    Without ``arguments``, run the command of ``sys.argv`` as the only one of this process.
    """
    if arguments is not None:
        return _run(list(arguments))
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    with quiet_on_closed_pipe():
        status = _run(sys.argv[1:])
    gc.freeze()  # saves a last collection at exit
    return status


def _run(words: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A docno may have letters that the terminal's encoding lacks.
            stream.reconfigure(errors="backslashreplace")
    if not words or words[0] in ("-h", "--help", "help", "--version"):
        sys.stdout.write(_version() if words[:1] == ["--version"] else _overview())
        return 0 if words else FAILED
    name, *rest = words
    if name not in COMMANDS:
        sys.stderr.write(
            f"trackside: no command '{name}'. There are {', '.join(COMMANDS)}; see trackside --help.\n"
        )
        return FAILED
    try:
        if sys.stdout is None:
            raise InputError("standard output is closed. Redirect it to a file or to /dev/null.")
        _refuse_two_readers(rest)
        status = _status(name, rest)
        sys.stdout.flush()
    except InputError as error:
        sys.stderr.write(f"trackside {name}: {error}\n")
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk; readers of files raise InputError
        sys.stderr.write(f"trackside {name}: {error.filename or 'the output'}: {error.strerror}\n")
        discard_output()
        return FAILED
    except KeyboardInterrupt:
        return 130
    return status


def _status(name: str, words: list[str]) -> int:
    try:
        return load(name).run(parser_of(name).parse_intermixed_args(words))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        raise InputError(
            f"the package {package} is not installed. Install it with "
            f'pip install "trackside[{EXTRAS[package]}]".'
        ) from error


def _refuse_two_readers(words: Sequence[str]) -> None:
    if sum(word == "-" or word.endswith("=-") for word in words) > 1:
        raise InputError("standard input (-) is named twice, but can be read once. Name a file instead.")


def _version() -> str:
    from trackside.code_version import code_version  # loads readers of package metadata

    return f"trackside {code_version()}\n"


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {does}" for name, (_, does) in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: trackside COMMAND …",
            "",
            *lines,
            "",
            "trackside COMMAND --help shows the options and an example, trackside --version the version.",
            "",
        ]
    )


# The shell's status of Unix tools that SIGPIPE ends. Windows has no such signal.
CLOSED_PIPE = 128 + getattr(signal, "SIGPIPE", 13)


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
        if not _is_output_closed():  # a socket broke
            raise
        discard_output()
        sys.exit(CLOSED_PIPE)


def _is_output_closed() -> bool:
    """Whether standard output has no reader; True where the system has no way to ask."""
    if not hasattr(select, "poll"):  # Windows
        return True
    output = select.poll()
    output.register(sys.stdout, 0)  # errors alone
    return bool(output.poll(0))


def discard_output() -> None:
    """Discard what the interpreter would flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
