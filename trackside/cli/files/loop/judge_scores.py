"""Scores or grades of judges, from the files that people have: qrels, runs, three columns, or JSON lines."""

import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from trackside.errors import InputError
from trackside.files.streams import Blocks, file_stem
from trackside.judging.score_files import read_scores

Scores = dict[tuple[str, str], float]
# Where topic, docno and score stand, by number of columns: three, qrels, or a run.
_COLUMNS = {3: (0, 1, 2), 4: (0, 2, 3), 6: (0, 2, 4)}


def read_judges(arguments: Sequence[str]) -> dict[str, Scores]:
    """Read judges from FILE or NAME=FILE, without pairs whose score is nan. Raises InputError."""
    judges: dict[str, Scores] = {}
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not equals or Path(argument).exists():
            name, path = file_stem(argument), argument
        if name in judges:
            raise InputError(f"two judges are called {name}. Tell them apart with --judge NAME={path}.")
        judges[name] = _scores(path)
        if not judges[name]:
            raise InputError(
                f"{path}: no scores in it. Give lines such as 'topic 0 docno 2' (or 'topic docno 0.7')."
            )
    return judges


def _scores(path: str) -> Scores:
    """A file with a header or of JSON lines as sites write them, else columns without a header."""
    first = next(_lines(path), "")
    if first.startswith("{") or {"topic", "docno", "score"} <= set(first.replace(",", " ").split()):
        return read_scores(io.BytesIO(b"".join(Blocks(path))), path)
    return dict(_read(path))


def _read(path: str) -> Iterator[tuple[tuple[str, str], float]]:
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(_lines(path), 1):
        cells = line.split()
        if not cells or line.startswith("#"):
            continue
        columns = _COLUMNS.get(len(cells))
        score = _number(cells[columns[2]]) if columns else None
        if columns is None or score is None:
            raise InputError(
                f"{path}, line {number:,}: '{line[:60]}' is no score. Give 3 columns (topic docno score), "
                "4 (qrels) or 6 (a run)."
            )
        pair = cells[columns[0]], cells[columns[1]]
        if pair in seen:
            raise InputError(
                f"{path}, line {number:,}: a second score of {pair[1]} for topic {pair[0]}. Keep one."
            )
        seen.add(pair)
        if not math.isnan(score):
            yield pair, score


def _lines(path: str) -> Iterator[str]:
    for block in Blocks(path):
        yield from block.decode("utf-8", "replace").splitlines()


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isinf(number) else number
