"""The topics of a task from a file."""

from __future__ import annotations

import json

from evaluation.core.errors import InputError
from evaluation.core.trec_files.streams import Blocks, Source

_ID_FIELDS = ("id", "topic", "topic_id", "qid", "text_id", "number")

_TOPIC_AND_STRATUM = 2


class NoTopics(InputError):
    """The file names no topics."""


def read_topics(source: Source) -> set[str]:
    """Topics from JSON lines (the field id, topic, topic_id, qid, text_id or number), or first columns.

    Valid files are a list with one topic per line, a tab-separated topics file, and qrels. Lines that start
    with # are skipped. Raises InputError.
    """
    blocks = Blocks(source)
    topics: set[str] = set()
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        text = _decoded(line, blocks.name, number).strip()
        if text and not text.startswith("#"):
            topics.add(_from_json(text, blocks.name, number) if text.startswith("{") else text.split()[0])
    if not topics:
        raise NoTopics(f"{blocks.name}: no topics in it. Write one topic per line.")
    return topics


def _decoded(line: bytes, name: str, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise NoTopics(
            f"{name}, line {number:,}: bytes that are not UTF-8. Save the file in UTF-8."
        ) from None


def _from_json(text: str, name: str, number: int) -> str:
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise NoTopics(f"{name}, line {number:,}: not JSON ({error}). Write one object per line.") from error
    for field in _ID_FIELDS:
        if field in fields:
            return str(fields[field])
    raise NoTopics(f"{name}, line {number:,}: no topic in it. Name it in the field 'id'.")


def read_strata(source: Source) -> dict[str, str]:
    """The stratum of each topic, from lines of topic and stratum. Raises InputError."""
    blocks = Blocks(source)
    strata: dict[str, str] = {}
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        fields = _decoded(line, blocks.name, number).split()
        if not fields:
            continue
        if len(fields) != _TOPIC_AND_STRATUM:
            raise NoTopics(f"{blocks.name}, line {number:,}: write a topic and its stratum, nothing else.")
        strata[fields[0]] = fields[1]
    return strata
