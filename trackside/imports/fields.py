"""Rows of a file, and the use of each of their fields: name, text, picture, stratum, note, or left out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import chain, repeat
from typing import Any, Self

from trackside.errors import InputError
from trackside.imports.faults import printable
from trackside.text.roles import ROLES, Roles

MOST_FIELDS = 1000  # of a file; more are counted as one


class FieldsRefused(InputError):
    """The choice of fields names one twice, or has a wrong form."""


class Use(StrEnum):
    """What a field is used for."""

    NAME = "id"
    TEXT = "text"
    PICTURE = "picture"
    STRATUM = "stratum"
    NOTE = "note"
    ROWS = "rows"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class FieldChoice:
    """The organizer's choice; fields that it does not mention are used as proposed.

    ``texts`` come first, in this order. Empty names are not chosen. The field that names the record may also
    name its picture. ``rows`` is a list of objects each of which is a record. ``roles`` are the texts that
    are title, description and so on; null if as proposed.
    """

    name: str = ""
    texts: tuple[str, ...] = ()
    picture: str = ""
    stratum: str = ""
    left_out: tuple[str, ...] = ()
    roles: Roles | None = None
    note: str = ""
    rows: str = ""

    @cached_property
    def names(self) -> frozenset[str]:
        """Every field that it mentions."""
        single = (self.name, self.picture, self.stratum, self.note, self.rows)
        return frozenset((*single, *self.texts, *self.left_out)) - {""}

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Create from the object of ``to_json``. Raises FieldsRefused."""
        parts = {"id", "texts", "picture", "stratum", "note", "rows", "left_out", "roles"}
        if not isinstance(values, dict) or (unknown := sorted(set(values) - parts)):
            what = f"No part is named {', '.join(unknown)}. " if isinstance(values, dict) else ""
            raise FieldsRefused(
                f'{what}The fields are one object: {{"id": "_id", "texts": ["title"], "picture": "", '
                '"stratum": "", "left_out": ["answer"]}. Each part is optional.'
            )
        names = [values.get(part) or "" for part in ("id", "picture", "stratum", "note", "rows")]
        lists = [values.get(part) or [] for part in ("texts", "left_out")]
        if not all(isinstance(part, list) for part in lists):
            raise FieldsRefused("texts and left_out are lists of names of fields.")
        chosen = [name for name in dict.fromkeys(names) if name] + [name for part in lists for name in part]
        if not all(isinstance(name, str) and "\0" not in name for name in chosen):
            raise FieldsRefused("Names of fields are texts.")
        if repeated := {name for name in chosen if chosen.count(name) > 1}:
            raise FieldsRefused(f"{', '.join(sorted(repeated))}: chosen twice. Give each field one use.")
        roles = _roles_in(values.get("roles"), {*names, *lists[1]} - {""})
        return cls(names[0], tuple(lists[0]), names[1], names[2], tuple(lists[1]), roles, *names[3:])

    def to_json(self) -> dict[str, Any]:
        """Plain values, also for track files."""
        return {
            "id": self.name,
            "texts": list(self.texts),
            "picture": self.picture,
            "stratum": self.stratum,
            "note": self.note,
            "rows": self.rows,
            "left_out": list(self.left_out),
            **({} if self.roles is None else {"roles": dict(self.roles)}),
        }


def _roles_in(roles: Any, no_texts: Collection[str]) -> Roles | None:
    """Return the roles of a choice. Raises FieldsRefused, also if a field has two, or is no text."""
    if roles is None:
        return None
    if not isinstance(roles, dict) or not set(roles) <= set(ROLES):
        raise FieldsRefused(f'roles is an object such as {{"title": "name"}}, of {", ".join(ROLES)}.')
    chosen = {role: name for role, name in roles.items() if name}
    if not all(isinstance(name, str) and "\0" not in name for name in chosen.values()):
        raise FieldsRefused("Names of fields are texts.")
    if len(set(chosen.values())) < len(chosen) or set(chosen.values()) & set(no_texts):
        raise FieldsRefused("roles: give each role another field, and only fields that are texts.")
    return chosen


@dataclass(frozen=True)
class Uses:
    """Which keys of one row are used for what; ``texts`` are in reading order.

    ``asked`` are those of ``left_out`` that an organizer should decide about. ``is_decimal`` is True if the
    names are whole numbers written as 301.0.
    """

    name: str
    picture: str
    stratum: str
    note: str
    texts: tuple[str, ...]
    left_out: tuple[str, ...]
    asked: frozenset[str] = frozenset()
    is_decimal: bool = False
    has_named_picture: bool = True  # the key of both is shown as the name, not as the picture

    @cached_property
    def pairs(self) -> list[tuple[str, Use]]:
        """Each key with its use, in the row's reading order."""
        hidden = (Use.PICTURE if self.has_named_picture else Use.NAME) if self.name == self.picture else None
        single = zip(
            (self.name, self.picture, self.stratum, self.note),
            (Use.NAME, Use.PICTURE, Use.STRATUM, Use.NOTE),
            strict=True,
        )
        pairs = [(key, use) for key, use in single if key and use != hidden]
        pairs += [(key, Use.TEXT) for key in self.texts]
        return pairs + [(key, Use.LEFT_OUT) for key in self.left_out]


_SINGLE = (Use.NAME, Use.PICTURE, Use.STRATUM, Use.NOTE)


@dataclass
class FieldCounts:
    """The fields of a file, with the number of rows in which each has content, and its use.

    ``lists`` are the fields that are lists of objects, which can be rows; ``asked`` those to decide about.
    """

    rows: int = 0
    filled: dict[str, int] = field(default_factory=dict)
    uses: dict[str, Use] = field(default_factory=dict)
    lists: dict[str, tuple[Use, float]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def add(self, uses: Uses, values: Mapping[str, Any]) -> None:
        """Count a row. Values that are null or blank are no content."""
        self.rows += 1
        for key, use in uses.pairs:
            if key not in self.filled:
                if len(self.filled) == MOST_FIELDS:
                    continue
                self.filled[key], self.uses[key] = 0, use
                self.asked |= uses.asked & {key}
            value = values[key]
            if value.strip() if isinstance(value, str) else value is not None:
                self.filled[key] += 1

    def to_json(self) -> list[dict[str, Any]]:
        """Name, use, share of rows with content, whether it is a list of objects, and whether to ask."""
        taken: dict[Use, str] = {}
        for key in sorted(self.filled, key=lambda key: -self.filled[key]):
            taken.setdefault(self.uses[key], key)
        fields = [
            _field(
                key,
                Use.LEFT_OUT if use in _SINGLE and taken[use] != key else use,
                self.filled[key] / self.rows,
                is_list=key in self.lists,
                is_asked=key in self.asked and self.filled[key] > 0,
            )
            for key, use in self.uses.items()
        ]
        inside = {key: entry for key, entry in self.lists.items() if key not in self.uses}
        return fields + [
            _field(key, use, share, is_list=True, is_asked=False) for key, (use, share) in inside.items()
        ]


def _field(key: str, use: Use, share: float, *, is_list: bool, is_asked: bool) -> dict[str, Any]:
    return {
        "name": printable(key),
        "use": str(use),
        "share": share,
        "is_list": is_list,
        "is_asked": is_asked,
    }


class JsonFloat(str):
    """A number of JSON with a fraction or an exponent, as it is written."""

    __slots__ = ()


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
