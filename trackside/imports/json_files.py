"""Rows of JSON: one object per line, an array of objects, or one object that holds them."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from trackside.imports.faults import Faults, ImportFault
from trackside.imports.field_names import ATTRIBUTE, NAMES, PICTURES, find_key
from trackside.imports.fields import JsonFloat, Row, unique_keys

FIRST_LINE = "line 1"
_DIGIT = re.compile(r"\d")
_IMAGES, _ANNOTATIONS = "images", "annotations"  # of COCO (cocodataset.org, "Data format")
MISSING = "NaN"  # json.dumps and pandas write it for a missing value; JSON has no such word


class Infinite:
    """Infinity in a JSON file, which is neither a text nor a number."""

    def __init__(self, word: str) -> None:
        self._word = word

    def __repr__(self) -> str:
        return self._word


def _constant(word: str) -> Any:
    return None if word == MISSING else Infinite(word)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of which no value is lost: the values of a repeated key become a list."""
    values = dict(pairs)
    if len(values) < len(pairs):
        for key in values:
            same = [value for name, value in pairs if name == key]
            values[key] = same if len(same) > 1 else same[0]
    return values


# Numbers stay as they are written: "1.50" and "007" have other digits as numbers of Python.
decode = json.JSONDecoder(
    parse_constant=_constant, parse_float=JsonFloat, parse_int=str, object_pairs_hook=_object
).decode


def json_rows(blocks: Iterable[bytes], name: str, faults: Faults) -> Iterator[Row]:
    """Rows of a file whose first character is ``{`` or ``[``.

    Each line that is not a JSON object in UTF-8 is a fault. A file that is one JSON value is read as a whole.
    """
    pieces = iter(blocks)
    first = next(pieces, b"")
    line, _, rest = first.strip().partition(b"\n")
    value = _decoded(line)
    is_record = isinstance(value, dict) and bool(
        rest or (find_key(value, (*NAMES, *PICTURES)) and not _columns(value))
    )
    if is_record or (value is None and line.endswith(b"}")):
        yield from line_rows(chain([first], pieces), faults)
        return
    content = first + b"".join(pieces)
    whole = _decoded(content)
    if isinstance(whole, list | dict):
        yield from document_rows(whole, name, faults)
    else:
        yield from line_rows([content], faults)


def line_rows(blocks: Iterable[bytes], faults: Faults) -> Iterator[Row]:
    """One row per line of blocks of whole lines."""
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        location = f"line {number:,}"
        if not line.strip():
            continue
        try:
            text = line.decode()
        except UnicodeDecodeError:
            faults.add(ImportFault.NOT_UTF8, location, line.decode("latin-1"))
            continue
        values = _decoded(text)
        if isinstance(values, dict):
            yield Row(location, values)
        else:
            faults.add(ImportFault.NOT_JSON, location, text)


def _decoded(content: bytes | str) -> Any:
    """The value; None if it is not JSON in UTF-8."""
    try:
        return decode(content if isinstance(content, str) else content.decode())
    except (ValueError, RecursionError):
        return None


def document_rows(whole: list[Any] | dict[str, Any], name: str, faults: Faults) -> Iterator[Row]:
    """Rows of one JSON value: an array, columns, COCO's images with captions, an object of records by name,
    or one record. A part of the value that is none of these is a fault.
    """
    if isinstance(whole, list):
        yield from _element_rows(whole, "element", faults)
    elif columns := _columns(whole):
        for number, values in enumerate(zip(*columns.values(), strict=True), start=1):
            yield Row(f"record {number:,}", dict(zip(columns, values, strict=True)))
    elif _are_objects(whole.get(_IMAGES)) and _are_objects(whole.get(_ANNOTATIONS)):
        yield from _coco_rows(whole, name, faults)
    elif find_key(whole, (*NAMES, *PICTURES)):
        yield Row(FIRST_LINE, whole)
    elif lists := [key for key, value in whole.items() if _are_objects(value)]:
        for key in lists:
            yield from _element_rows(whole[key], f"{key}, element", faults)
        _note_others(whole, lists, name, faults)
    elif _names_records(whole):
        yield from _named_rows(whole)
    elif part := next((key for key, value in whole.items() if _holds_lists(value)), ""):
        yield from document_rows(whole[part], f"{name}, {part}", faults)
        _note_others(whole, [part], name, faults)
    else:
        yield Row(FIRST_LINE, whole)


def _columns(whole: dict[str, Any]) -> dict[str, list[Any]]:
    """The columns of a table of pandas: lists of one length, or objects of the same keys; {} without."""
    if not find_key(whole, NAMES):
        return {}
    values = list(whole.values())
    if all(isinstance(value, dict) for value in values) and len({tuple(value) for value in values}) == 1:
        return {key: list(value.values()) for key, value in whole.items()} if values[0] else {}
    is_table = all(isinstance(value, list) and len(value) == len(values[0]) > 1 for value in values)
    return dict(whole) if is_table else {}


def _names_records(whole: dict[str, Any]) -> bool:
    """Whether the keys are names of records: keys of texts alone have digits, those of a record have none."""
    values = whole.values()
    if all(isinstance(value, dict) for value in values):
        return bool(whole)
    return all(isinstance(value, str) for value in values) and all(_DIGIT.search(key) for key in whole)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _holds_lists(value: Any) -> bool:
    """Whether it is the part of a file that holds lists of records: VisDial's "data"."""
    return isinstance(value, dict) and any(map(_are_objects, value.values()))


def _element_rows(elements: list[Any], what: str, faults: Faults) -> Iterator[Row]:
    for number, values in enumerate(elements, start=1):
        location = f"{what} {number:,}"
        if isinstance(values, dict):
            yield Row(location, values)
        else:
            faults.add(ImportFault.NOT_JSON, location, str(values))


def _note_others(whole: dict[str, Any], read: list[str], name: str, faults: Faults) -> None:
    """Add a fault for each part of a JSON value that no record holds."""
    for key, value in whole.items():
        if key not in read and value not in (None, "", [], {}):
            faults.add(ImportFault.NO_RECORD, name, f"{key}: {value!r}")


def _named_rows(whole: dict[str, Any]) -> Iterator[Row]:
    """Records by their names: ``{"301": {"title": "weir"}}`` or ``{"301": "weir"}``."""
    for key, value in whole.items():
        values = value if isinstance(value, dict) else {"text": value}
        if find_key(values, NAMES):
            yield Row(f"record {key}", values)
        else:
            yield Row(f"record {key}", {"id": key, **values}, "id")


def _coco_rows(whole: dict[str, Any], name: str, faults: Faults) -> Iterator[Row]:
    """COCO's images, each with its captions, "caption 1" to "caption 5".

    Its other parts are faults, and so are captions whose image is missing or shares its id with another.

    Further values of images and of captions are attributes, which are proposed to be left out.
    """
    counts = Counter(str(image["id"]) for image in whole[_IMAGES] if "id" in image)
    captions: dict[str, list[dict[str, Any]]] = {key: [] for key, count in counts.items() if count == 1}
    for number, annotation in enumerate(whole[_ANNOTATIONS], start=1):
        image = str(annotation.get("image_id"))
        if image in captions and annotation.get("caption") is not None:
            captions[image].append(annotation)
        else:
            faults.add(ImportFault.NO_RECORD, f"{_ANNOTATIONS}, element {number:,}", str(annotation))
    for number, image in enumerate(whole[_IMAGES], start=1):
        named = "file_name" if "file_name" in image else "id"
        pairs = [(named, image.get(named))]
        for annotation in captions.get(str(image.get("id")), []):
            others = {key: value for key, value in annotation.items() if key not in ("image_id", "caption")}
            pairs.append(("caption", annotation["caption"]))
            pairs += [(f"caption{ATTRIBUTE}{key}", value) for key, value in others.items()]
        pairs += [(f"image{ATTRIBUTE}{key}", value) for key, value in image.items() if key != named]
        yield Row(f"{_IMAGES}, element {number:,}", dict(unique_keys(pairs)), named)
    _note_others(whole, [_IMAGES, _ANNOTATIONS], name, faults)
