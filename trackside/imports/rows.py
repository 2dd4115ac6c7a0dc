"""Rows of a file: named values with their place, before they become records."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    ``name_key`` is the key that the format prefers as the record's name, "" without one. ``pictures`` return
    the bytes of its pictures in order, ``missing`` are names of pictures that are not there. ``folder`` is
    the folder of its file in an archive.
    """

    place: str
    values: Mapping[str, Any] = field(default_factory=dict)
    name_key: str = ""
    pictures: tuple[Callable[[], bytes], ...] = ()
    missing: tuple[str, ...] = ()
    folder: str = ""


def unique_keys(pairs: Iterable[tuple[str, Any]], hints: Iterable[str] = ()) -> Iterator[tuple[str, Any]]:
    """The pairs with their keys made unique, so that none hides another: "subtopic 1", "subtopic 2".

    A repeated key gets its hint, such as the number in an attribute, or counts.
    """
    listed = list(pairs)
    counts = Counter(key for key, _ in listed)
    taken = {key for key, count in counts.items() if count == 1}
    numbers: Counter[str] = Counter()
    for (key, value), hint in zip(listed, chain(hints, repeat("")), strict=False):
        name = key if counts[key] == 1 else f"{key} {hint}"
        while counts[key] > 1 and (not hint or name in taken):
            numbers[key] += 1
            hint, name = "number", f"{key} {numbers[key]}"
        taken.add(name)
        yield name, value
