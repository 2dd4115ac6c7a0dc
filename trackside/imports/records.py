"""Records of topics and documents: made of rows, checked, shown, and written for PostgreSQL."""

import base64
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from json.encoder import encode_basestring as _quoted
from pathlib import PurePosixPath
from typing import Any

from trackside.imports.faults import Faults, ImportFault, printable
from trackside.imports.field_names import IMAGE, is_picture_name
from trackside.imports.fields import FieldChoice, FieldCounts, JsonFloat, Row, Uses
from trackside.imports.inner_lists import find_lists, inner_rows, written_list
from trackside.imports.inner_objects import find_objects, with_parts
from trackside.imports.known_collections import find_collection
from trackside.imports.proposing import NO_COLLECTION, Evidence, first_rows, probe, propose, with_joined
from trackside.text.visible import hidden_characters, visible_fields

LONGEST_NAME = 255  # characters
DEEPEST_LIST = 20  # lists within lists
MOST_PICTURES = 100  # of a record: the pages of a long document; one request and one page show them all
IMAGE_SUFFIXES = (".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp")
# Large numbers as Excel writes them, a list, and what programs write for a missing or true value.
_NO_NAME = re.compile(r"\d(\.\d+)?E\+\d+\Z|\[.*\]\Z|(true|false|nan|none|null)\Z", re.IGNORECASE | re.DOTALL)
_DECIMALS = re.compile(r"(?<=\d)\.0+\Z")
_CAPTION_NUMBER = re.compile(r"(?<=\w)#\d+\Z")  # Flickr8k: 1000268201.jpg#0


@dataclass(frozen=True, slots=True)
class Record:
    """A topic or document of a file.

    ``place`` is its position in the file, ``fields`` are its texts in reading order, ``left_out`` those that
    are not imported, and ``pictures`` return the bytes of its images in order.
    """

    place: str
    name: str
    fields: tuple[tuple[str, str], ...] = ()
    note: str = ""
    pictures: tuple[Callable[[], bytes], ...] = ()
    stratum: str = ""
    left_out: tuple[tuple[str, str], ...] = ()


@dataclass
class RecordMaker:
    """Makes records of rows by the organizer's choice of fields, and counts the fields.

    Every value of a row ends in the record's name, texts, note, stratum or ``left_out``, or is a fault.
    """

    faults: Faults
    choice: FieldChoice = field(default_factory=FieldChoice)
    counts: FieldCounts = field(default_factory=FieldCounts)
    is_topics: bool = True
    _uses: dict[tuple[str, ...], Uses] = field(default_factory=dict)
    _evidence: Evidence = field(default_factory=Evidence)

    def prepare(
        self,
        rows: Iterable[Row],
        faults: Faults | None = None,
        *,
        names_picture: Callable[[Row, Any], bool] = lambda _, value: names_images(value),
    ) -> Iterator[Row]:
        """The rows of a file, whose first ones decide about the uses of its fields.

        A list of objects may hold the rows, and parts of an object become fields; captions of a list become
        texts of their own, and names that name a record together one field. ``names_picture(row, value)``
        tells pictures.
        """
        rest = iter(rows)
        first = first_rows(rest)
        keys = {key for row in first for key in (*row.values, *([IMAGE] if row.pictures else []))}
        known = find_collection(keys, is_topics=self.is_topics) or NO_COLLECTION
        objects = find_objects(first, {*self.choice.names, *known.columns_in(keys)})
        first, rest = list(with_parts(first, objects)), with_parts(rest, objects)
        lists = find_lists(first, self.choice, known.rows, is_topics=self.is_topics)
        inner = inner_rows(chain(first, rest), lists, self.faults if faults is None else faults)
        joined = (with_joined(row, known) for row in inner) if known.joined else inner
        seen = first_rows(joined)
        self._evidence = probe(seen, known, names_picture=names_picture)
        self._uses.clear()
        self.counts.lists |= lists.uses()
        return chain(seen, joined)

    def uses_of(self, row: Row, *, has_pictures: bool = False) -> Uses:
        """The uses of the row's keys."""
        keys = (row.name_key, *row.values)
        if keys not in self._uses:
            if len(self._uses) > DISTINCT:
                self._uses.clear()
            self._uses[keys] = propose(
                keys[1:],
                self.choice,
                self._evidence,
                name=row.name_key,
                has_pictures=has_pictures,
                is_topics=self.is_topics,
            )
        return self._uses[keys]

    def record(self, row: Row, *, has_pictures: bool = False) -> Record | None:
        """The record of a row; None, and a fault, if it has no name, or some of its pictures but not all.

        Lists are joined with blanks; nulls and blank texts are left out. A row ``has_pictures`` if it is of
        an archive, where the caller looks for them.
        """
        uses = self.uses_of(row, has_pictures=has_pictures)
        self.counts.add(uses, row.values)
        name = name_of(row, uses)
        if not is_name(row.values.get(uses.name) if uses.name else None):
            self.faults.add(ImportFault.NAME_NOT_TEXT, row.place, str(dict(row.values)))
            return None
        if not name:
            self.faults.add(ImportFault.NO_NAME, row.place, str(dict(row.values)))
            return None
        is_wanted = not has_pictures and uses.picture not in ("", uses.name)
        missing = row.missing or (picture_names(row.values[uses.picture]) if is_wanted else ())
        if missing and row.pictures:
            self.faults.add(ImportFault.IMAGES_INCOMPLETE, row.place, ", ".join(missing))
            return None
        for picture in missing:
            self.faults.add(ImportFault.IMAGE_MISSING, row.place, picture)
        note, stratum = (self._text(row, key) if key else "" for key in (uses.note, uses.stratum))
        return Record(
            row.place,
            name,
            self._texts(row, uses.texts),
            note,
            row.pictures,
            stratum,
            _left_out(row, uses.left_out),
        )

    def _texts(self, row: Row, keys: Iterable[str]) -> tuple[tuple[str, str], ...]:
        pairs = [(key, self._text(row, key)) for key in keys]
        return tuple([pair for pair in pairs if pair[1].strip()])

    def _text(self, row: Row, key: str) -> str:
        value = row.values[key]
        if isinstance(value, str):
            return value
        text = text_of(value)
        if text is None:
            self.faults.add(ImportFault.FIELD_NOT_TEXT, row.place, f"{key}: {value!r}")
        return text or ""


def _left_out(row: Row, keys: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The values that are not imported; also those that are no text, such as the metadata of BEIR."""
    if not keys:
        return ()
    texts = ((key, text_of(row.values[key])) for key in keys)
    pairs = ((key, str(row.values[key]) if text is None else text) for key, text in texts)
    return tuple((key, text) for key, text in pairs if text.strip())


DISTINCT = 10_000  # sets of keys whose uses are kept


def is_name(value: Any) -> bool:
    """Whether a value can be a name: no list, no true or false, and no number as 1e5 or Excel's 1E+05."""
    if isinstance(value, bool | list):
        return False
    has_exponent = isinstance(value, JsonFloat) and "e" in value.lower()
    return not has_exponent and not (isinstance(value, str) and _NO_NAME.match(value))


def name_of(row: Row, uses: Uses) -> str:
    """The name of the row's record. A file's name counts without its folder and suffix."""
    value = row.values.get(uses.name) if uses.name else None
    if uses.is_decimal or isinstance(value, JsonFloat):
        value = _DECIMALS.sub("", str(value))
    if isinstance(value, float) and value.is_integer():  # pandas makes floats of a column with a gap
        value = int(value)
    name = _file_name((text_of(value) or "").strip(" \t\r\n"))
    is_file = name.lower().endswith(IMAGE_SUFFIXES) and PurePosixPath(name).suffix
    return PurePosixPath(name).stem if is_file and is_picture_name(uses.name) else name


def picture_names(value: Any) -> tuple[str, ...]:
    """The names of a record's pictures: a text, or a list of them, which a table has as JSON.

    What is no text names no picture, so it becomes a fault as it is.
    """
    value = written_list(value)
    names = value if isinstance(value, list) else [value]
    texts = (str(name) if (text := text_of(name)) is None else text for name in names)
    return tuple(_file_name(text) for text in texts if text)


def names_images(value: Any) -> bool:
    """Whether the value names pictures, by their suffixes."""
    return any(name.lower().endswith(IMAGE_SUFFIXES) for name in picture_names(value))


def _file_name(text: str) -> str:
    """The name of a picture without the number of its caption."""
    name = _CAPTION_NUMBER.sub("", text)
    return name if name.lower().endswith(IMAGE_SUFFIXES) else text


def sound_records(records: Iterable[Record], faults: Faults, *, must_have_content: bool) -> Iterator[Record]:
    """The records that can be stored, in order; the others become faults.

    Repeated names are not detected here, because memory would grow with the file.
    """
    for record in records:
        fault = _fault(record, must_have_content=must_have_content)
        if fault:
            faults.add(fault, record.place, record.name)
        else:
            _note_hidden(record, faults)
            yield record


def _note_hidden(record: Record, faults: Faults) -> None:
    """Count a record with characters that nobody sees, and name those of its first such text."""
    for name, text in record.fields:
        if hidden := hidden_characters(text):
            faults.add(ImportFault.HIDDEN_CHARACTERS, record.place, f"{record.name}, {name}: {hidden}")
            return


def _fault(record: Record, *, must_have_content: bool) -> ImportFault | None:
    if record.name.split() != [record.name]:
        return ImportFault.NAME_NOT_ONE_WORD
    if len(record.name) > LONGEST_NAME:
        return ImportFault.NAME_TOO_LONG
    if must_have_content and not record.fields and not record.pictures:
        return ImportFault.EMPTY
    if len(record.pictures) > MOST_PICTURES:
        return ImportFault.MANY_IMAGES
    texts = "".join([record.name, record.note, record.stratum, *chain.from_iterable(record.fields)])
    return None if printable(texts) == texts else ImportFault.NOT_TEXT


def text_of(value: Any, depth: int = 0) -> str | None:
    """A text, number or list of them as one text, "" for null, NaN and {}; None for anything else."""
    if value is None or value == {} or value != value:  # NaN: pandas writes it for a missing value
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and abs(value) != float("inf")):
        return str(value)
    if isinstance(value, list) and depth < DEEPEST_LIST:
        parts = [text_of(item, depth + 1) for item in value]
        return None if None in parts else " ".join(part for part in parts if part)
    return None


_NULL = "\\N"


def copy_line(record: Record, images: Sequence[str]) -> str:
    """Return a line of name, fields as JSON, keys of the first image and the others, note, stratum and place.

    See PostgreSQL's documentation of COPY, "Text Format".
    """
    pairs = ", ".join([f"[{_quoted(name)}, {_quoted(text)}]" for name, text in record.fields])
    fields = f"[{pairs}]".replace("\\", "\\\\")  # JSON has no tab and no line end
    pictures = (images[0] if images else _NULL, f"{{{','.join(images[1:])}}}")
    others = map(_escaped, (record.note, record.stratum, record.place))
    return "\t".join((_escaped(record.name), fields, *pictures, *others)) + "\n"


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\")
    return escaped.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


SAMPLES = 5  # records
LONGEST_TEXT = 2000  # characters of a text


def sample_of(record: Record, thumbnail: bytes | None) -> dict[str, Any]:
    """A sound record of a trial, with a small copy of its first picture."""
    return {
        "name": record.name,
        "fields": _cut(visible_fields(record.fields)),
        "left_out": _cut(record.left_out),
        "note": record.note[:LONGEST_TEXT],
        "stratum": record.stratum[:LONGEST_TEXT],
        "picture_count": len(record.pictures),
        "thumbnail": base64.b64encode(thumbnail).decode() if thumbnail else "",
    }


def _cut(fields: Iterable[tuple[str, str]]) -> list[list[str]]:
    cut = ((key, f"{text[:LONGEST_TEXT]}…" if len(text) > LONGEST_TEXT else text) for key, text in fields)
    return [[printable(key), printable(text)] for key, text in cut]
