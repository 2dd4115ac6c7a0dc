"""Rows of a file, and the use of each of their fields: name, text, picture, stratum, note, or left out."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import chain, repeat
from typing import Any, Self

from trackside.errors import InputError
from trackside.imports.faults import printable
from trackside.text.roles import ROLES, Roles

# Fields that name a record, in lower case with underscores; the first that is present is proposed. The names
# are those of ir_datasets, BEIR, MS MARCO, TREC, Hugging Face's folders of images, COCO and AToMiC.
NAMES = (
    *("id", "docno", "doc_id", "docid", "topic_id", "query_id", "qid", "q_id", "question_id", "turn_id"),
    *("document_id", "pid", "passage_id", "section_id", "text_id", "corpus_id", "number", "num"),
    *("image_id", "img_id", "photo_id", "key", "topic", "file_name", "filename", "image_name"),
)
IMAGE, IMAGES, NOTE, STRATUM = "image", "images", "note", "stratum"
# Fields that name the pictures of a record in an archive. Hugging Face's folders have file_name, or a list in
# file_names; M-BEIR has query_img_path and img_path.
PICTURES = (
    *("image", "file_name", "filename", "image_path", "img_path", "query_img_path", "image_file"),
    *("image_name", "filepath", "path", "img", "picture"),
)
SEVERAL_PICTURES = (IMAGES, "file_names", "image_paths")
# A second name of the record is no text. Others of NAMES are texts of some files.
_SECOND_NAMES = frozenset({"id", "docno", "doc_id", "docid", "pid", "qid", "query_id", "q_id", "corpus_id"})
# Words of fields with the right answer, which would end the blindness of assessors and models.
_ANSWERS = """
    gold golden answer answers reasoning rationale explanation solution solutions correct relevant relevance
    qrel qrels grade grades judgment judgments judgement judgements label labels positive positives negative
    negatives pos neg ids groundtruth truth expected evidence nugget nuggets supporting excluded
"""
_ANSWER_WORDS = frozenset(_ANSWERS.split())
# AToMiC's addresses and the captions that OTHER_LANGUAGES holds.
_NO_TEXTS = frozenset({"page_url", "image_url"})
OTHER_LANGUAGES = " (other languages)"
ATTRIBUTE = "@"  # between an element and its attribute
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
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
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """The organizer's choice; fields that it does not mention are used as proposed.

    ``texts`` come first, in this order. Empty names are not chosen. The field that names the record may also
    name its picture. ``roles`` are the texts that are title, description and so on; null if as proposed.
    """

    name: str = ""
    texts: tuple[str, ...] = ()
    picture: str = ""
    stratum: str = ""
    left_out: tuple[str, ...] = ()
    roles: Roles | None = None

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Create from the object of ``to_json``. Raises FieldsRefused."""
        parts = {"id", "texts", "picture", "stratum", "left_out", "roles"}
        if not isinstance(values, dict) or (unknown := sorted(set(values) - parts)):
            what = f"No part is named {', '.join(unknown)}. " if isinstance(values, dict) else ""
            raise FieldsRefused(
                f'{what}The fields are one object: {{"id": "_id", "texts": ["title"], "picture": "", '
                '"stratum": "", "left_out": ["answer"]}. Each part is optional.'
            )
        names = [values.get(part) or "" for part in ("id", "picture", "stratum")]
        lists = [values.get(part) or [] for part in ("texts", "left_out")]
        if not all(isinstance(part, list) for part in lists):
            raise FieldsRefused("texts and left_out are lists of names of fields.")
        chosen = [name for name in dict.fromkeys(names) if name] + [name for part in lists for name in part]
        if not all(isinstance(name, str) and "\0" not in name for name in chosen):
            raise FieldsRefused("Names of fields are texts.")
        if repeated := {name for name in chosen if chosen.count(name) > 1}:
            raise FieldsRefused(f"{', '.join(sorted(repeated))}: chosen twice. Give each field one use.")
        roles = _roles_in(values.get("roles"), {*names, *lists[1]} - {""})
        return cls(names[0], tuple(lists[0]), names[1], names[2], tuple(lists[1]), roles)

    def to_json(self) -> dict[str, Any]:
        """Plain values, also for track files."""
        return {
            "id": self.name,
            "texts": list(self.texts),
            "picture": self.picture,
            "stratum": self.stratum,
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
    """Which keys of one row are used for what; ``texts`` are in reading order."""

    name: str
    picture: str
    stratum: str
    note: str
    texts: tuple[str, ...]
    left_out: tuple[str, ...]

    @cached_property
    def pairs(self) -> list[tuple[str, Use]]:
        """Each key with its use, in the row's reading order."""
        single = zip(
            (self.name, self.picture, self.stratum, self.note),
            (Use.NAME, Use.PICTURE, Use.STRATUM, Use.NOTE),
            strict=True,
        )
        pairs = [(key, use) for key, use in single if key and (use != Use.PICTURE or key != self.name)]
        pairs += [(key, Use.TEXT) for key in self.texts]
        return pairs + [(key, Use.LEFT_OUT) for key in self.left_out]


def propose(
    keys: Sequence[str], choice: FieldChoice, *, name: str = "", has_pictures: bool, is_topics: bool = True
) -> Uses:
    """The uses of a row's keys: as chosen, else by their names.

    ``name`` is the key that the format of the file prefers. ``has_pictures`` is True in an archive, where
    every name in PICTURES may name a file; elsewhere only ``image`` does. Only topics have a stratum and a
    note; of documents both are texts.
    """
    picture = _chosen(choice.picture, keys) or find_key(
        keys, (*PICTURES, *SEVERAL_PICTURES) if has_pictures else (IMAGE,)
    )
    named = _chosen(choice.name, keys) or name or find_key(keys, NAMES)
    if not named and not choice.name:
        named = picture if has_pictures else ""
    stratum = _chosen(choice.stratum, keys) or (STRATUM if STRATUM in keys else "")
    note = NOTE if NOTE in keys and NOTE not in choice.texts else ""
    if not is_topics:
        stratum = note = ""
    single = {named, picture, stratum, note} - {""}  # a key of JSON may be ""
    used, there = single.union(choice.texts), set(keys)
    others = {key: key in choice.left_out or is_left_out(key) for key in keys if key not in used}
    texts = [key for key in choice.texts if key in there and key not in single]
    texts += [key for key, is_out in others.items() if not is_out]
    left_out = [key for key, is_out in others.items() if is_out]
    return Uses(named, picture, stratum, note, tuple(texts), tuple(left_out))


def find_key(keys: Iterable[str], wanted: Sequence[str]) -> str:
    """The key whose plain form comes first in ``wanted``; "" if there is none."""
    plain = {_plain(key): key for key in reversed(list(keys))}
    return next((plain[name] for name in wanted if name in plain), "")


def is_left_out(key: str) -> bool:
    """Whether it is proposed to leave the field out.

    It looks like the right answer, a second name of the record, an attribute or an address.
    """
    if ATTRIBUTE in key or key.endswith(OTHER_LANGUAGES) or key in _NO_TEXTS:
        return True
    return _plain(key) in _SECOND_NAMES or any(word.lower() in _ANSWER_WORDS for word in _WORD.findall(key))


def _chosen(name: str, keys: Sequence[str]) -> str:
    return name if name in keys else ""


def _plain(key: str) -> str:
    """A key in lower case with underscores, without any before it: "_id" and "query-id" are common."""
    return key.strip().lower().replace("-", "_").replace(" ", "_").lstrip("_")


@dataclass
class FieldCounts:
    """The fields of a file, with the number of rows in which each has content, and its proposed use."""

    rows: int = 0
    filled: dict[str, int] = field(default_factory=dict)
    uses: dict[str, Use] = field(default_factory=dict)

    def add(self, uses: Uses, values: Mapping[str, Any]) -> None:
        """Count a row. Values that are null or blank are no content."""
        self.rows += 1
        for key, use in uses.pairs:
            if key not in self.filled:
                if len(self.filled) == MOST_FIELDS:
                    continue
                self.filled[key], self.uses[key] = 0, use
            value = values[key]
            if value.strip() if isinstance(value, str) else value is not None:
                self.filled[key] += 1

    def to_json(self) -> list[dict[str, Any]]:
        """Name, use, and the share of rows in which it has content."""
        return [
            {"name": printable(key), "use": str(self.uses[key]), "share": count / self.rows}
            for key, count in self.filled.items()
        ]


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
