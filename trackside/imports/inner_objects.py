"""Objects within the rows of a file, whose values become fields of the row: "document.title"."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from trackside.imports.field_names import NAMES, STEP, find_key, is_answer, is_text_name
from trackside.imports.fields import Row

MOST_PARTS = 50  # of an object; one with more is a table by ids, such as the evidence of SciFact


def find_objects(rows: Sequence[Row], known: Collection[str]) -> frozenset[str]:
    """The fields whose values are objects of the same parts, with texts or ids, in the first rows of a file.

    Those that look like the right answer are none, and so are ``known`` fields.
    """
    filled: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.values.items():
            if value and key not in known:
                filled.setdefault(key, []).append(value)
    return frozenset(key for key, values in filled.items() if not is_answer(key) and _have_parts(values))


def _have_parts(values: Sequence[Any]) -> bool:
    if not all(isinstance(value, dict) for value in values):
        return False
    counts = Counter(part for value in values for part in value)
    is_alike = len(counts) <= MOST_PARTS and all(2 * count >= len(values) for count in counts.values())
    return is_alike and bool(find_key(counts, NAMES) or any(map(is_text_name, counts)))


def with_parts(rows: Iterable[Row], objects: Collection[str]) -> Iterator[Row]:
    """The rows, with each part of their ``objects`` as a field of its own."""
    for row in rows:
        yield replace(row, values=dict(_parts(row, objects))) if objects else row


def _parts(row: Row, objects: Collection[str]) -> Iterator[tuple[str, object]]:
    for key, value in row.values.items():
        if key in objects and isinstance(value, dict):
            yield from ((f"{key}{STEP}{part}", inner) for part, inner in value.items())
        else:
            yield key, value
