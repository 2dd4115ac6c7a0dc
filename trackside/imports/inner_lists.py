"""Lists within the rows of a file: objects that are the rows, and captions that are texts of the row."""

import json
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from trackside.imports.faults import Faults, ImportFault
from trackside.imports.field_names import (
    ATTRIBUTE,
    CAPTIONS,
    NAMES,
    PICTURES,
    STEP,
    find_key,
    is_text_name,
    plain,
)
from trackside.imports.fields import FieldChoice, Row, Use, unique_keys

# Lists whose objects are proposed as the records: turns of a conversation, questions of an article.
_ROWS_OF_TOPICS = ("turn", "turns", "qas", "questions", "queries", "utterances")
_ROWS_OF_DOCUMENTS = ("paragraphs", "passages", "segments", "chunks")
# A row with one of these is a record itself.
_MAIN_TEXTS = ("text", "query", "question", "utterance", "body", "content", "contents", "claim", "passage")
_TEXTS_OF_OBJECTS = ("raw", "caption", "text", "sentence")
_RECORD = f"record{ATTRIBUTE}"  # before a key of the outer record that its object has, too
_CAPTION = "caption"


@dataclass(frozen=True)
class Lists:
    """The lists of objects of a file, by path, and their use.

    ``shares`` are those of rows with content. The objects at ``rows`` are the records; if ``is_joined``,
    names of records consist of the outer one's and their own. Objects of the lists in ``texts`` are texts.
    """

    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    rows: str = ""
    texts: frozenset[str] = frozenset()
    is_joined: bool = False

    def uses(self) -> dict[str, tuple[Use, float]]:
        """The use of each list, and the share of rows that have it."""
        uses = {path: Use.TEXT if path in self.texts else Use.LEFT_OUT for path in self.paths}
        if self.rows:
            uses[self.rows] = Use.ROWS
        return {path: (use, self.shares[path]) for path, use in uses.items()}


def find_lists(rows: Sequence[Row], choice: FieldChoice, known_rows: str, *, is_topics: bool) -> Lists:
    """The lists of objects in the first rows of a file, with the chosen or else the proposed uses."""
    paths: dict[str, tuple[str, ...]] = {}
    counts: dict[str, int] = {}
    for row in rows:
        for path in dict.fromkeys(_paths(row.values)):
            counts[STEP.join(path)] = counts.get(STEP.join(path), 0) + 1
            paths[STEP.join(path)] = path
    if not paths:
        return Lists()
    keys = dict.fromkeys(key for row in rows for key in row.values)
    free = [path for path in paths if path not in choice.names]
    inner = choice.rows if choice.rows in paths else ""
    if not inner and choice.rows not in keys:
        inner = known_rows if known_rows in free else _proposed_rows(free, keys, is_topics=is_topics)
    outside = frozenset(
        path for path in paths if path in choice.texts or (path in free and is_text_name(path))
    )
    lists = Lists(
        paths, {path: count / len(rows) for path, count in counts.items()}, inner, outside - {inner}
    )
    return replace(lists, is_joined=bool(inner) and _is_joined(rows, lists))


def _paths(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The lists of objects with ids or texts, and those in their objects."""
    for key, value in values.items():
        if _are_objects(value):
            if any(find_key(item, NAMES) or any(map(is_text_name, item)) for item in value):
                yield (key,)
            for item in value:
                yield from ((key, inner) for inner, deeper in item.items() if _are_objects(deeper))


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _proposed_rows(paths: Iterable[str], keys: Iterable[str], *, is_topics: bool) -> str:
    """The list that is proposed as the rows: none for rows with a picture or a text of their own."""
    if find_key(keys, (*PICTURES, *_MAIN_TEXTS)):
        return ""
    wanted = _ROWS_OF_TOPICS if is_topics else _ROWS_OF_DOCUMENTS
    found = [path for path in paths if plain(path.rpartition(STEP)[2]) in wanted]
    return max(found, key=lambda path: path.count(STEP), default="")


def _is_joined(rows: Sequence[Row], lists: Lists) -> bool:
    """Whether the objects' names tell them apart within their record only: turn 1 of conversation 31."""
    inner = [name for row in rows for name in _own_names(row, lists.paths[lists.rows])]
    if len(set(inner)) < len(inner) or not all(inner):
        return True
    counted = [[str(start + index) for index in range(len(inner))] for start in (0, 1)]
    return len(rows) == 1 and inner in counted


def _own_names(row: Row, path: tuple[str, ...]) -> list[str]:
    objects: list[Any] = [row.values]
    for key in path:
        objects = [item for outer in objects if _are_objects(outer.get(key)) for item in outer[key]]
    return [str(item.get(find_key(item, NAMES), "")) for item in objects]


def inner_rows(rows: Iterable[Row], lists: Lists, faults: Faults) -> Iterator[Row]:
    """The rows of a file, or one for each object of the list that holds them; captions become texts."""
    for row in rows:
        for inner in _expanded(row, lists.paths[lists.rows], lists, faults) if lists.rows else (row,):
            yield with_captions(inner, lists.texts)


def _expanded(row: Row, path: tuple[str, ...], lists: Lists, faults: Faults) -> Iterator[Row]:
    key, *deeper = path
    items = row.values.get(key)
    if not isinstance(items, list) or not items:
        faults.add(ImportFault.EMPTY, row.place, str(dict(row.values)))
        return
    for number, item in enumerate(items, start=1):
        place = f"{row.place}, {key} {number:,}"
        if not isinstance(item, dict):
            faults.add(ImportFault.NOT_JSON, place, str(item))
            continue
        inner = replace(row, place=place, **_merged(row, key, number, item, lists, is_last=not deeper))
        if deeper:
            yield from _expanded(inner, tuple(deeper), lists, faults)
        else:
            yield inner


def _merged(
    row: Row, key: str, number: int, item: Mapping[str, Any], lists: Lists, *, is_last: bool
) -> dict[str, Any]:
    """The values of an object after those of its record, and the key of its name."""
    outer = {name: value for name, value in row.values.items() if name != key}
    own = {f"{key}{STEP}{name}" if f"{key}{STEP}{name}" in lists.paths else name: item[name] for name in item}
    if not is_last:
        own = dict(item)
    name_key = find_key(own, NAMES)
    outer_key = row.name_key or find_key(outer, NAMES)
    if is_last and lists.is_joined and outer_key:
        name_key = name_key or "number"
        own = {name_key: f"{outer[outer_key]}_{own.get(name_key, number)}", **_without(own, name_key)}
        outer = {f"{_RECORD}{outer_key}": outer[outer_key], **_without(outer, outer_key)}
    renamed = {f"{_RECORD}{name}" if name in own else name: value for name, value in outer.items()}
    return {"values": {**renamed, **own}, "name_key": name_key}


def _without(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}


def with_captions(row: Row, texts: frozenset[str]) -> Row:
    """The row with each caption of a list as a text of its own, "caption 1", and so the objects of ``texts``.

    The objects' other values become attributes.
    """
    if not any(map(_may_hold_captions, row.values.values())):
        return row
    pairs: list[tuple[str, Any]] = []
    for key, value in row.values.items():
        captions = _captions(key, value)
        if key in texts and _are_objects(value):
            pairs += [pair for item in value for pair in _object_texts(key, item)]
        elif captions:
            pairs += [(_CAPTION, caption) for caption in captions]
        else:
            pairs.append((key, value))
    if len(pairs) == len(row.values) and all(key in row.values for key, _ in pairs):
        return replace(row, values=dict(pairs)) if dict(pairs) != row.values else row
    return replace(row, values=dict(unique_keys(pairs)))


def _may_hold_captions(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, str) and value[:1] == "[")


def _captions(key: str, value: Any) -> list[str]:
    """The captions of a list, which a table has as JSON; none for other values."""
    if plain(key) not in CAPTIONS:
        return []
    value = written_list(value)
    is_list = isinstance(value, list) and bool(value)
    return value if is_list and all(isinstance(item, str) for item in value) else []


def written_list(value: Any) -> Any:
    """The list in a cell of a table, in JSON or as Python writes it: ``['a', "b's"]``; else the value."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    for read in (json.loads, literal_eval):
        with suppress(ValueError, RecursionError, SyntaxError, MemoryError):
            return read(value.strip())
    return value


def _object_texts(key: str, item: Mapping[str, Any]) -> list[tuple[str, Any]]:
    name = _CAPTION if plain(key) in CAPTIONS else key
    text = find_key(item, _TEXTS_OF_OBJECTS) or next(filter(is_text_name, item), "")
    return [(name if inner == text else f"{name}{ATTRIBUTE}{inner}", item[inner]) for inner in item]
