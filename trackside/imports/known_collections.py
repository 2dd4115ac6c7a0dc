"""Public collections whose fields are known, told apart by their columns: the table is collections.toml."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from trackside.imports.field_names import find_keys, plain

TABLE = Path(__file__).with_name("collections.toml")


@dataclass(frozen=True, slots=True)
class KnownCollection:
    """A public collection; names of fields are in their plain form, texts in reading order.

    Without an ``id`` no field names a record, so the organizer is asked. ``joined`` fields name it together,
    with ``joint`` between them. ``rows`` is the list of objects that holds the records. ``others`` are
    columns that some of its files have.
    """

    name: str
    columns: frozenset[str]
    id: str = ""
    texts: tuple[str, ...] = ()
    picture: str = ""
    rows: str = ""
    joined: tuple[str, ...] = ()
    joint: str = "-"
    others: frozenset[str] = frozenset()
    is_topics_only: bool = False

    @classmethod
    def from_table(cls, values: dict[str, Any]) -> Self:
        """Create from an entry of the table, whose lists are words."""
        columns, texts, joined, others = (
            tuple(plain(word) for word in values.get(part, "").split())
            for part in ("columns", "texts", "joined", "others")
        )
        id_, picture = (plain(values.get(part, "")) for part in ("id", "picture"))
        rows, joint = values.get("rows", ""), values.get("joint", "-")
        own = (values["name"], frozenset(columns), id_, texts, picture, rows, joined, joint)
        return cls(*own, frozenset(others), bool(values.get("topics_only")))

    def columns_in(self, keys: Iterable[str]) -> set[str]:
        """The keys that are columns of the collection other than texts."""
        return {key for key in keys if plain(key) in (self.columns | self.others) - set(self.texts)}

    def join(self, keys: Sequence[str]) -> tuple[str, ...]:
        """The fields of a row that name its record together; () if one name is enough."""
        keys_found = find_keys(keys, self.joined)
        return tuple(keys_found) if len(keys_found) > 1 else ()


@cache
def known_collections() -> tuple[KnownCollection, ...]:
    """All known collections, those with the most columns first."""
    entries = tomllib.loads(TABLE.read_text())["collection"]
    collections = map(KnownCollection.from_table, entries)
    return tuple(sorted(collections, key=lambda known: -len(known.columns)))


def find_collection(keys: Iterable[str], *, is_topics: bool = True) -> KnownCollection | None:
    """The collection all of whose columns are among the fields, the one with the most columns."""
    names = {plain(key) for key in keys}
    fitting = (known for known in known_collections() if is_topics or not known.is_topics_only)
    return next((known for known in fitting if known.columns <= names), None)
