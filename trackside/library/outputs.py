"""Runs and qrels as TREC files."""

from numbers import Integral
from pathlib import Path

import polars as pl

from trackside.errors import InputError
from trackside.files import Rankings
from trackside.files.run_parts import SOUND_TAG
from trackside.library.inputs import QrelsInput, RunInput, read_qrels, read_run

_PACKED = {".gz", ".bz2", ".zst"}
_BLANK = r"[ \t\n\r\x0b\x0c\x00]|^$"


def write_run(run: RunInput, path: str | Path, *, tag: str | None = None, depth: int = 1000) -> None:
    """Write a run file: topic Q0 docno rank score tag, the first ``depth`` results of each topic.

    Scores are written with all of their digits. ``tag`` replaces the run's own.
    Raises InputError.
    """
    if not isinstance(depth, Integral) or depth < 1:
        raise InputError(f"depth {depth}: give a whole number from 1 up.")
    _write(path, run_bytes(read_run(run, tag=tag), depth=depth))


def write_qrels(qrels: QrelsInput, path: str | Path) -> None:
    """Write a qrels file: topic 0 docno grade, topics in byte order.

    Raises InputError.
    """
    frame = read_qrels(qrels).to_frame()
    _refuse_blanks(frame)
    rows = frame.select("topic", "docno", "grade").iter_rows()
    text = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in rows)
    _write(path, text.encode())


def _write(path: str | Path, content: bytes) -> None:
    end = Path(path).suffix
    if end in _PACKED:
        raise InputError(f"{path}: files are written unpacked. Leave out {end}.")
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. Name another file.") from error


def run_bytes(run: Rankings, *, depth: int | None = None) -> bytes:
    """Return a run file, with all results or the first ``depth`` of each topic. Raises InputError."""
    if not SOUND_TAG.fullmatch(run.tag):
        raise InputError(f"tag '{run.tag}': use letters, digits, _, . and -, not a full stop first.")
    frame = run.to_frame()
    _refuse_blanks(frame)
    rows = frame.filter(pl.col("rank") <= (depth or run.result_count)).iter_rows()
    lines = (f"{topic} Q0 {docno} {rank} {score!r} {run.tag}\n" for topic, docno, rank, score in rows)
    return "".join(lines).encode()


def _refuse_blanks(frame: pl.DataFrame) -> None:
    """Raise InputError for a name that would split a line or a topic that would start a comment."""
    for name, pattern in (("topic", f"{_BLANK}|^#"), ("docno", _BLANK)):
        stray = frame[name].filter(frame[name].str.contains(pattern))
        if len(stray):
            raise InputError(f"{name} '{stray[0]}': remove blanks, and a # at the start of a topic.")
