"""Scores that another lab's judge gave, from a file."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import PurePath
from typing import Any, ClassVar

from evaluation.core.errors import InputError
from judges.core.asking import storable
from judges.core.judge import Unit
from judges.core.settings import Settings

COLUMNS = ("topic", "docno", "score")
SHOWN = 5  # bad lines that an error names
LONGEST_SHOWN = 60  # characters of a bad value


class ScoresRefused(InputError):
    """A file of scores with lines that cannot be read."""


class Imported:
    """A judge whose scores came in a file; ``model_revision`` is the file's SHA-256, ``model`` its name."""

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text", "text-to-text"})
    unit: ClassVar[Unit] = Unit.FILE

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with the backend's revision; ScoresRefused without the hash of a file."""
        if not settings.model_revision:
            raise ScoresRefused(
                "An imported judge comes with its file: upload the scores on the task's page."
            )
        return replace(settings, revision=cls.revision)


def read_scores(content: bytes, name: str) -> dict[tuple[str, str], float]:
    """The score of each (topic, docno) in a file: JSONL, CSV or TSV with a header, or qrels, by its name.

    Raises ScoresRefused with the numbers of the bad lines: not UTF-8, a missing column, a score that is no
    finite number, a pair that stands twice.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScoresRefused(
            f"{name} is not UTF-8: byte {error.start:,} cannot be read. Save it as UTF-8."
        ) from error
    scores: dict[tuple[str, str], float] = {}
    bad: list[str] = []
    for number, row in _rows(text, PurePath(name).suffix.lower()):
        try:
            pair, score = _pair(row)
        except ValueError as error:
            bad.append(f"line {number}: {error}")
            continue
        if pair in scores:
            bad.append(f"line {number}: {pair[0]} {pair[1]} stands twice")
        scores[pair] = score
    if bad:
        more = f" And {len(bad) - SHOWN:,} more." if len(bad) > SHOWN else ""
        raise ScoresRefused(
            f"{name}: {'; '.join(bad[:SHOWN])}.{more} Mend the lines and upload the file again."
        )
    if not scores:
        raise ScoresRefused(f"{name} holds no scores. Give a line with {', '.join(COLUMNS)} for each pair.")
    return scores


def _rows(text: str, suffix: str) -> Iterator[tuple[int, Any]]:
    """Line numbers and rows: a mapping with the columns, or the words of a qrels line."""
    if suffix in {".csv", ".tsv"}:
        lines = csv.DictReader(StringIO(text), delimiter="\t" if suffix == ".tsv" else ",")
        try:
            for row in lines:
                yield lines.line_num, row
        except csv.Error as error:  # nobody can tell where the next row begins
            yield lines.line_num + 1, f"no row of a table ({error})"
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield number, _object(line) if suffix == ".jsonl" else line.split()


def _object(line: str) -> Any:
    """The JSON of a line, or what is wrong with it."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"no JSON ({error})"
    return found if isinstance(found, dict) else "no JSON object"


def _pair(row: Any) -> tuple[tuple[str, str], float]:
    """Topic, docno and score of a row; ValueError says what is wrong with it."""
    match row:
        case str(problem):
            raise ValueError(problem)
        case [topic, _, docno, score] | {"topic": topic, "docno": docno, "score": score}:
            pass
        case [*columns]:
            raise ValueError(f"{len(columns)} columns instead of the 4 of qrels")
        case _:
            raise ValueError(f"it lacks one of {', '.join(COLUMNS)}")
    if any(each is None or each == "" for each in (topic, docno, score)):
        raise ValueError(f"it lacks one of {', '.join(COLUMNS)}")
    for name, each in (("topic", topic), ("docno", docno)):
        if type(each) not in {str, int}:
            raise ValueError(f"the {name} {_shown(each)} is no text")
        if storable(str(each)) != str(each):
            raise ValueError(f"the {name} {_shown(each)} has a character that no text has")
    try:
        value = math.nan if isinstance(score, bool) else float(score)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"the score {_shown(score)} is no finite number")
    return (str(topic), str(docno)), value


def _shown(value: Any) -> str:
    """A value in an error's words, in ASCII, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
