"""Files of scores by another lab's judge."""

import csv
import json
import math
from collections.abc import Iterator
from itertools import count
from pathlib import PurePath
from typing import IO, Any

from trackside.errors import InputError
from trackside.judging.asking import storable

COLUMNS = ("topic", "docno", "score")
SHOWN = 5  # bad lines that an error message lists
LONGEST_SHOWN = 60  # characters of a bad value
LONGEST_LINE = 1_000_000  # bytes
MARK = b"\xef\xbb\xbf"  # byte order mark, with which some programs begin a UTF-8 file


def read_scores(file: IO[bytes], name: str) -> dict[tuple[str, str], float]:
    """Read the score of each (topic, docno) in a file: by its name JSONL, CSV or TSV with a header, or qrels.

    Raises scores-refused with the numbers of the bad lines: not UTF-8, longer than a megabyte, a missing
    column, a score that is not a finite number, a duplicate pair.
    """
    scores: dict[tuple[str, str], float] = {}
    bad: list[str] = []
    bad_count = 0
    for number, row in _rows(file, name):
        try:
            pair, score = _pair(row)
            if pair in scores:
                raise ValueError(f"{pair[0]} {pair[1]} is listed twice")
        except ValueError as error:
            bad_count += 1
            if len(bad) < SHOWN:
                bad.append(f"line {number}: {error}")
        else:
            scores[pair] = score
    if bad:
        more = f" And {bad_count - SHOWN:,} more." if bad_count > SHOWN else ""
        raise InputError(
            f"{name}: {'; '.join(bad)}.{more} Fix the lines and upload the file again.", code="scores-refused"
        )
    if not scores:
        raise InputError(
            f"{name} has no scores. Write a line with {', '.join(COLUMNS)} for each pair.",
            code="scores-refused",
        )
    return scores


def _lines(file: IO[bytes], name: str) -> Iterator[str]:
    for number in count(1):
        line = file.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"{name}, line {number:,}: longer than {LONGEST_LINE:,} bytes. Shorten it.",
                code="scores-refused",
            )
        try:
            yield line.removeprefix(MARK).decode() if number == 1 else line.decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"{name}, line {number:,}: byte {error.start + 1:,} is not UTF-8. Save the file in UTF-8.",
                code="scores-refused",
            ) from error


def _rows(file: IO[bytes], name: str) -> Iterator[tuple[int, Any]]:
    """Yield line numbers and rows: a mapping with the columns, or the fields of a qrels line."""
    suffix, lines = PurePath(name).suffix.lower(), _lines(file, name)
    if suffix in {".csv", ".tsv"}:
        # TSV has no quotes: a cell is the text between two tabs.
        form = {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if suffix == ".tsv" else {"delimiter": ","}
        table = csv.DictReader(lines, strict=True, **form)
        try:
            for row in table:
                yield table.line_num, row
        except csv.Error as error:  # the start of the next row is unknown
            yield table.line_num + 1, f"not a row of a table ({error})"
        return
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, _object(line) if suffix == ".jsonl" else line.split()


def _object(line: str) -> Any:
    """Return the JSON object of a line; raise ValueError with the problem."""
    try:
        content = json.loads(line, object_pairs_hook=_once)
    except InputError as error:
        return str(error)
    except (ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    return content if isinstance(content, dict) else "not a JSON object"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if duplicate := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{duplicate} is there twice")
    return dict(pairs)


def _pair(row: Any) -> tuple[tuple[str, str], float]:
    """Return topic, docno and score of a row; raise ValueError with the problem."""
    match row:
        case str(problem):
            raise ValueError(problem)
        case {None: _}:
            raise ValueError("it has more cells than the header")
        case [topic, _, docno, score] | {"topic": topic, "docno": docno, "score": score}:
            pass
        case [*columns]:
            raise ValueError(f"{len(columns)} columns instead of the 4 of qrels")
        case _:
            raise ValueError(f"it lacks one of {', '.join(COLUMNS)}")
    if any(value is None or value == "" for value in (topic, docno, score)):
        raise ValueError(f"it lacks one of {', '.join(COLUMNS)}")
    for name, value in (("topic", topic), ("docno", docno)):
        if type(value) not in {str, int}:
            raise ValueError(f"the {name} {_shown(value)} is not text")
        if storable(str(value)) != str(value):
            raise ValueError(f"the {name} {_shown(value)} contains NUL or a lone surrogate")
    return (str(topic), str(docno)), _number(score)


def _number(score: Any) -> float:
    try:
        # Python alone reads 1_0 as 10.
        value = math.nan if isinstance(score, bool) or "_" in str(score) else float(score)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"the score {_shown(score)} is not a finite number")
    return value


def _shown(value: Any) -> str:
    """Return a value for an error message: in ASCII, and cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
