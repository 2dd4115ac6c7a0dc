"""Records of topics and documents during an import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from evaluation.core.imports.faults import ImportFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evaluation.core.imports.faults import Faults

NAMES = ("id", "docno", "doc_id", "image_id", "section_id", "topic", "topic_id", "qid", "text_id", "number")
NOTE = "note"
IMAGE = "image"
LONGEST_NAME = 255  # characters
DEEPEST_LIST = 20  # lists within lists


@dataclass(frozen=True, slots=True)
class Record:
    """A topic or document of a file.

    ``place`` is its position in the file, ``fields`` are its texts in reading order, and ``picture`` returns
    the bytes of its image; null if it has none.
    """

    place: str
    name: str
    fields: tuple[tuple[str, str], ...] = ()
    note: str = ""
    picture: Callable[[], bytes] | None = None


def record_of(
    values: Mapping[str, Any],
    place: str,
    faults: Faults,
    *,
    name_field: str = "",
    picture: Callable[[], bytes] | None = None,
) -> Record | None:
    """The record of one row of named values; None, and a fault, if it has no name.

    The name is the value of ``name_field``, else of the first field in NAMES that is present. Lists are
    joined with blanks; nulls and blank texts are left out.
    """
    named = name_field or next((each for each in NAMES if each in values), "")
    name = _text(values.get(named))
    if not name:
        faults.add(ImportFault.NO_NAME, place, str(dict(values)))
        return None
    fields = []
    for key, value in values.items():
        if key in (named, NOTE, IMAGE):
            continue
        text = value if isinstance(value, str) else _text(value)
        if text is None:
            faults.add(ImportFault.FIELD_NOT_TEXT, place, f"{key}: {value!r}")
        elif text.strip():
            fields.append((key, text))
    return Record(place, name, tuple(fields), _text(values.get(NOTE)) or "", picture)


def sound_records(records: Iterable[Record], faults: Faults, *, must_have_content: bool) -> Iterator[Record]:
    """The records that can be stored, in order; the others become faults.

    Repeated names are not detected here, because memory would grow with the file.
    """
    for record in records:
        fault = _fault(record, must_have_content=must_have_content)
        if fault:
            faults.add(fault, record.place, record.name)
        else:
            yield record


def _fault(record: Record, *, must_have_content: bool) -> ImportFault | None:
    if record.name.split() != [record.name]:
        return ImportFault.NAME_NOT_ONE_WORD
    if len(record.name) > LONGEST_NAME:
        return ImportFault.NAME_TOO_LONG
    if must_have_content and not record.fields and record.picture is None:
        return ImportFault.EMPTY
    texts = "".join([record.name, record.note, *chain.from_iterable(record.fields)])
    return None if _is_storable(texts) else ImportFault.NOT_TEXT


def _is_storable(text: str) -> bool:
    """Whether PostgreSQL can store the text: no NUL, no unpaired surrogates."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _text(value: Any, depth: int = 0) -> str | None:
    """A text, number or list of them as one text, "" for null; None for anything else."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, list) and depth < DEEPEST_LIST:
        parts = [_text(each, depth + 1) for each in value]
        return None if None in parts else " ".join(part for part in parts if part)
    return None
