"""The first records of a file, as people and models will see them."""

import base64
from typing import Any

from trackside.imports.records import Record
from trackside.imports.text_errors import printable

SAMPLES = 5  # records
LONGEST_TEXT = 2000  # characters of a text


def sample_of(record: Record, thumbnail: bytes | None) -> dict[str, Any]:
    """A sound record of a trial, with a small copy of its first picture."""
    return {
        "name": record.name,
        "fields": _cut(record.fields),
        "left_out": _cut(record.left_out),
        "note": record.note[:LONGEST_TEXT],
        "stratum": record.stratum[:LONGEST_TEXT],
        "picture_count": len(record.pictures),
        "thumbnail": base64.b64encode(thumbnail).decode() if thumbnail else "",
    }


def _cut(fields: tuple[tuple[str, str], ...]) -> list[list[str]]:
    cut = ((key, f"{text[:LONGEST_TEXT]}…" if len(text) > LONGEST_TEXT else text) for key, text in fields)
    return [[printable(key), printable(text)] for key, text in cut]
