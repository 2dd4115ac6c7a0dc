"""Topics and captions as text: JSON lines, tables, TREC's topics, and plain lists of docnos."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError
from evaluation.core.imports.faults import ImportFault
from evaluation.core.imports.records import NAMES, Record, record_of
from evaluation.core.trec_files.streams import Blocks, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.imports.faults import Faults

MAX_TEXT_BYTES = 2_000_000_000  # unpacked
LONGEST_CELL = 10_000_000  # characters
TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?\s*>", re.DOTALL | re.IGNORECASE)
FIELD = re.compile(r"<([a-zA-Z_][\w-]*)>([^<]*)(?:</\1\s*>)?", re.DOTALL)
NUMBER_ATTRIBUTE = re.compile(r"""(?:number|id|num)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
# TREC repeats the field's name in its text: <num> Number: 301, <desc> Description: ...
SPOKEN = re.compile(r"^\s*(number|topic|title|description|narrative)\s*:", re.IGNORECASE)
LONG_NAMES = {"desc": "description", "narr": "narrative"}
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class NotText(InputError):
    """The file is not text in UTF-8."""


class NoRecords(InputError):
    """Nothing in the file is a record."""


def read_text_records(source: Source, faults: Faults) -> Iterator[Record]:
    """Records of a file, packed or not, in the form that its first character tells.

    ``{`` begins JSON lines and ``<`` TREC's topics; anything else is a table whose header has a tab (TSV) or
    not (CSV). Raises NotText, NoRecords, UnreadableFile, TooManyBytes.
    """
    blocks = Blocks(source, max_bytes=MAX_TEXT_BYTES)
    content = b"".join(blocks)
    refuse_other_encodings(content, blocks.name)
    beginning = content.lstrip()[:1]
    if not beginning:
        raise NoRecords(f"{blocks.name}: the file is empty. Write one record a line.")
    if beginning == b"{":
        return json_lines(content, faults)
    text = decoded(content, blocks.name)
    return _trec_topics(text, blocks.name, faults) if beginning == b"<" else _table(text, blocks.name, faults)


def refuse_other_encodings(content: bytes, name: str) -> None:
    """Raise NotText for UTF-16 and UTF-32, by their marks or the NUL bytes that they are full of."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:64]:
        raise NotText(f"{name}: this looks like UTF-16 or a binary file. Save it as plain text in UTF-8.")


def decoded(content: bytes, name: str) -> str:
    """The file as text. NotText names the first line that is not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotText(f"{name}, line {line:,}: bytes that are not UTF-8. Save the file in UTF-8.") from error


def json_lines(content: bytes, faults: Faults) -> Iterator[Record]:
    """A record a line; each line that is not a JSON object in UTF-8 is a fault."""
    for place, values in json_objects(content, faults):
        if record := record_of(values, place, faults):
            yield record


def json_objects(content: bytes, faults: Faults) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects with their places."""
    for number, line in enumerate(content.splitlines(), start=1):
        place = f"line {number:,}"
        try:
            values = json.loads(line.decode()) if line.strip() else None
        except UnicodeDecodeError:
            faults.add(ImportFault.NOT_UTF8, place, line.decode("latin-1"))
            continue
        except (ValueError, RecursionError):
            values = ()
        if isinstance(values, dict):
            yield place, values
        elif values is not None:
            faults.add(ImportFault.NOT_JSON, place, line.decode("utf-8", "replace"))


def docno_lines(source: Source) -> Iterator[Record]:
    """A document without content a line. Raises NotText, UnreadableFile, TooManyBytes."""
    number = 0
    for block in Blocks(source, max_bytes=MAX_TEXT_BYTES):
        refuse_other_encodings(block, "The list")
        for line in decoded(block, "The list").splitlines():
            number += 1
            if line.strip():
                yield Record(f"line {number:,}", line.strip())


def _table(text: str, name: str, faults: Faults) -> Iterator[Record]:
    header, _, _ = text.partition("\n")
    separator = "\t" if "\t" in header else ","
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        columns = [column.strip() for column in next(rows)]
        named = next((column for column in columns if column.lower() in NAMES), columns[0])
        if (len(columns) == 1 and named.lower() not in NAMES) or len(set(columns)) < len(columns):
            raise NoRecords(
                f"{name}: the first line is no header. Name the columns, each once: id, title, description."
            )
        for row in rows:
            place = f"line {rows.line_num:,}"
            if len(row) != len(columns):
                if any(cell.strip() for cell in row):
                    faults.add(ImportFault.COLUMN_COUNT, place, separator.join(row))
            elif record := record_of(dict(zip(columns, row, strict=True)), place, faults, name_field=named):
                yield record
    except csv.Error as error:
        raise NotText(
            f'{name}, line {rows.line_num:,}: {error}. Quote texts with " and double quotes inside them.'
        ) from error


def _trec_topics(text: str, name: str, faults: Faults) -> Iterator[Record]:
    found = False
    for topic in TOPIC.finditer(text):
        found = True
        place = f"line {text.count(chr(10), 0, topic.start()) + 1:,}"
        fields = {
            LONG_NAMES.get(key.lower(), key.lower()): _spoken(value) for key, value in FIELD.findall(topic[2])
        }
        attribute = NUMBER_ATTRIBUTE.search(topic[1])
        number = (
            fields.pop("num", "") or (attribute[1].strip() if attribute else "") or fields.pop("number", "")
        )
        if record := record_of({"id": number, **fields}, place, faults):
            yield record
    if not found:
        raise NoRecords(f"{name}: no <top> … </top> or <topic> … </topic> in it.")


def _spoken(value: str) -> str:
    text = SPOKEN.sub("", value)
    for entity, letter in ENTITIES:
        text = text.replace(entity, letter)
    return " ".join(text.split())
