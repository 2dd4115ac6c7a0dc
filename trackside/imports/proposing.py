"""Propose the uses of a file's fields, by what the organizer chose, by their names, and by the first rows."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from trackside.imports.field_names import (
    ATTRIBUTE,
    IMAGE,
    NAMES,
    NOTE,
    PICTURES,
    SEVERAL_PICTURES,
    STEP,
    STRATUM,
    find_key,
    find_keys,
    is_answer,
    is_id_name,
    is_left_out,
    is_picture_name,
    is_text_name,
    others_beside,
    plain,
    uncounted,
)
from trackside.imports.fields import FieldChoice, Row, Uses
from trackside.imports.known_collections import KnownCollection

PROBED = 10_000  # rows that decide
PROBED_CHARACTERS = 10_000_000
PROBED_PICTURES = 200  # rows that hold their pictures
_DECIMAL = re.compile(r"\d+\.0+\Z")
NO_COLLECTION = KnownCollection("", frozenset())


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the first rows of a file say of its fields.

    ``repeated`` are fields that name no record: a value occurs twice, or most are missing. ``decimal`` fields
    hold whole numbers written as 301.0. ``pictures`` are fields with a value that names one. ``unknown``
    ones may name records, though no public collection has them: each row has another word. ``paths`` are
    fields whose values are names of pictures.
    ``has_stored_pictures``: the rows hold their pictures, so no field names them.
    """

    keys: frozenset[str] = frozenset()
    repeated: frozenset[str] = frozenset()
    decimal: frozenset[str] = frozenset()
    pictures: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    paths: frozenset[str] = frozenset()
    has_stored_pictures: bool = False
    collection: KnownCollection = field(default=NO_COLLECTION)


def first_rows(rows: Iterator[Row]) -> list[Row]:
    """The rows that decide: of the next ones, PROBED and about PROBED_CHARACTERS at most."""
    first: list[Row] = []
    size = 0
    for row in rows:
        first.append(row)
        size += sum(len(value if isinstance(value, str) else str(value)) for value in row.values.values())
        if len(first) >= (PROBED_PICTURES if row.pictures else PROBED) or size >= PROBED_CHARACTERS:
            break
    return first


def probe(
    rows: Sequence[Row], collection: KnownCollection, *, names_picture: Callable[[Row, Any], bool]
) -> Evidence:
    """Look at the first rows of a file; ``names_picture(row, value)`` tells pictures."""
    keys = dict.fromkeys(key for row in rows for key in row.values)
    listed = find_keys(keys, (collection.id, *NAMES))
    others = [key for key in keys if is_id_name(key) and key not in listed]
    picture_keys = {key for key in keys if is_picture_name(key)}
    names = {*listed, *others, *picture_keys, *(row.name_key for row in rows)} & keys.keys()
    values, counts = _values_of(rows, names)
    pictures = {
        key
        for key in find_keys(keys, (collection.picture, *PICTURES, *SEVERAL_PICTURES))
        if any(key in row.values and names_picture(row, row.values[key]) for row in rows)
    }
    same = _of_equal_texts(rows, find_key(keys, (collection.id,)), find_keys(keys, collection.texts))
    repeated = frozenset(
        key for key, filled in values.items() if key != same and _repeats(filled, counts[key])
    )
    paths = frozenset(
        key
        for row in rows
        for key in picture_keys.intersection(row.values)
        if ATTRIBUTE in key or names_picture(row, row.values[key])
    )
    return Evidence(
        frozenset(keys),
        repeated,
        frozenset(key for key, filled in values.items() if filled and all(map(_DECIMAL.match, filled))),
        frozenset(pictures),
        tuple(key for key in others if key not in repeated and _are_words(values[key], rows)),
        paths,
        has_stored_pictures=any(row.pictures for row in rows),
        collection=collection,
    )


def _is_filled(row: Row, key: str) -> bool:
    value = row.values.get(key)
    return value is not None and value == value and str(value).strip() != ""


def _of_equal_texts(rows: Sequence[Row], key: str, texts: Sequence[str]) -> str:
    """The key, if equal values have equal texts: rows of query and product repeat the query; else ""."""
    first: dict[str, list[str]] = {}
    for row in rows if key and texts else ():
        shown = [str(row.values.get(text)) for text in texts]
        if first.setdefault(str(row.values.get(key)), shown) != shown:
            return ""
    return key if texts else ""


def _are_words(values: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether at least two rows, and all, have a value that is one word."""
    return 1 < len(values) == len(rows) and all(len(value.split()) == 1 for value in values)


def _values_of(rows: Sequence[Row], keys: Collection[str]) -> tuple[dict[str, list[str]], Counter[str]]:
    """The filled values of the keys in order, and how many rows have each key; one pass over the cells."""
    values: dict[str, list[str]] = {key: [] for key in keys}
    counts: Counter[str] = Counter()
    for row in rows:
        for key in values.keys() & row.values.keys():
            counts[key] += 1
            if _is_filled(row, key):
                values[key].append(str(row.values[key]).strip())
    return values, counts


def _repeats(values: Sequence[str], count: int) -> bool:
    return len(set(values)) < len(values) or 2 * len(values) < count


def propose(
    keys: Sequence[str],
    choice: FieldChoice,
    evidence: Evidence,
    *,
    name: str = "",
    has_pictures: bool,
    is_topics: bool = True,
) -> Uses:
    """The uses of a row's keys: as chosen, else by the collection that it is of, else by their names.

    ``name`` is the key that the format of the file prefers. ``has_pictures`` is True in an archive, where
    every name in PICTURES may name a file; elsewhere one must look so. Of several fields that may name
    records, the first without a repeated value does. Only topics have a stratum and a note.
    """
    known = evidence.collection
    free = [key for key in keys if key not in choice.names]
    picture = _chosen(choice.picture, keys) or _picture(free, evidence, has_pictures=has_pictures)
    named = _chosen(choice.name, keys)
    if not named and not (choice.name and choice.name in evidence.keys):
        of_archive = picture if has_pictures else ""
        named = _name(free, evidence, name) or _name_by_picture(free, choice, evidence, of_archive)
    own_fields = free if is_topics else ()
    stratum = _chosen(choice.stratum, keys if is_topics else ()) or find_key(own_fields, (STRATUM,))
    note = _chosen(choice.note, keys if is_topics else ()) or find_key(own_fields, (NOTE,))
    single = {named, picture, stratum, note} - {""}  # a key of JSON may be ""
    rest = [key for key in free if key not in single]
    roles = [key for key in (choice.roles or {}).values() if key in free]  # a field with a role is a text
    named_texts = [key for key in (*choice.texts, *roles) if key in set(keys) - single]
    beside = _beside(keys, evidence, picture, is_topics=is_topics)
    by_name = [key for key in rest if key not in beside and _is_text(key, known)]
    texts = dict.fromkeys((*named_texts, *find_keys(rest, known.texts), *by_name))
    left_out = [key for key in keys if key not in single and key not in texts]
    unread = set(left_out).intersection(free)
    asked = frozenset(key for key in unread if not _is_quiet(key, known, is_topics=is_topics))
    return Uses(
        named,
        picture,
        stratum,
        note,
        tuple(texts),
        tuple(left_out),
        asked,
        is_decimal=named in evidence.decimal,
        has_named_picture=choice.picture != named or choice.name == named,
    )


def _picture(free: Sequence[str], evidence: Evidence, *, has_pictures: bool) -> str:
    """The field that names pictures: one with a value that does, else in an archive one of such a name."""
    if evidence.has_stored_pictures and not has_pictures:
        return find_key(free, (IMAGE,))
    wanted = (evidence.collection.picture, *PICTURES, *SEVERAL_PICTURES)
    named = [key for key in find_keys(free, wanted) if key in evidence.pictures]
    return next(iter(named), find_key(free, wanted if has_pictures else (IMAGE,)))


def _name(free: Sequence[str], evidence: Evidence, preferred: str) -> str:
    """The first field that may name records and does not repeat, else the first; "" to ask for it."""
    known = evidence.collection
    if joined := joined_key(free, known):
        return joined
    if _asks_id(known):
        return ""
    names = [*find_keys(free, (known.id,)), *([preferred] if preferred and preferred in free else [])]
    whole = [key for key in free if STEP not in key]  # the id of an author within the record is another one
    names += [*find_keys(whole, NAMES), *(key for key in evidence.unknown if key in free)]
    return next((key for key in names if key not in evidence.repeated), names[0] if names else "")


def _name_by_picture(free: Sequence[str], choice: FieldChoice, evidence: Evidence, picture: str) -> str:
    """The field of an archive's pictures, else one whose values name pictures and do not repeat."""
    if choice.name or (_asks_id(evidence.collection) and not evidence.has_stored_pictures):
        return ""
    own = [key for key in free if key in evidence.paths and key not in evidence.repeated]
    return picture or min(own, key=lambda key: ATTRIBUTE in key, default="")


def _beside(keys: Sequence[str], evidence: Evidence, picture: str, *, is_topics: bool) -> set[str]:
    has_picture = bool(picture) or evidence.has_stored_pictures
    return others_beside(keys, is_topics=is_topics, has_picture=has_picture)


def _asks_id(known: KnownCollection) -> bool:
    return bool(known.name) and not known.id and not known.joined


def joined_key(keys: Sequence[str], known: KnownCollection) -> str:
    """The field that holds the joined names of a row; "" if its collection has none."""
    key = known.joint.join(known.join(keys))
    return key if key in keys else ""


def with_joined(row: Row, known: KnownCollection) -> Row:
    """The row, with one more field for the names that name it together."""
    parts = known.join(list(row.values))
    if not parts:
        return row
    joined = known.joint.join(str(row.values[part]) for part in parts)
    return replace(row, values={**row.values, known.joint.join(parts): joined})


def _is_text(key: str, known: KnownCollection) -> bool:
    if uncounted(key) in known.texts:
        return True
    return not {plain(key), uncounted(key)} & (known.columns | known.others) and is_text_name(key)


def _is_quiet(key: str, known: KnownCollection, *, is_topics: bool) -> bool:
    """Whether the field is left out without a question; what is an answer of a topic may be a document."""
    is_known = bool({plain(key), uncounted(key)} & (known.columns | known.others))
    return is_known or (is_left_out(key) and (is_topics or not is_answer(key)))


def _chosen(name: str, keys: Iterable[str]) -> str:
    return name if name in keys else ""
