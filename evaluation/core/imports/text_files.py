"""Reads topics and captions from text: JSON lines, tables, TREC topics, and plain lists of docnos."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from evaluation.core.errors import InputError
from evaluation.core.imports.faults import ImportFault
from evaluation.core.imports.records import NAMES, Record, record_of
from evaluation.core.trec_files.streams import Blocks, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evaluation.core.imports.faults import Faults

MAX_TEXT_BYTES = 20_000_000_000  # unpacked; read as a stream, except for TREC topics
LONGEST_CELL = 10_000_000  # characters
LONGEST_LINE = 10_000_000  # bytes
LONGEST_EXAMPLE = 200  # characters of a fault
TOPIC_TAG = re.compile(r"<(?P<slash>/?)(?P<name>top(?:ic)?)\b(?P<attributes>[^<>]*)>", re.IGNORECASE)
FIELD = re.compile(r"<([a-zA-Z_][\w-]*)>([^<]*)")
NUMBER_ATTRIBUTE = re.compile(r"""(?:number|id|num)\s*=\s*["']([^"']*)["']""", re.IGNORECASE)
# TREC repeats the field's name in its text: <num> Number: 301, <desc> Description: ...
SPOKEN = re.compile(r"^\s*(number|topic|title|description|narrative)\s*:", re.IGNORECASE)
_decode = json.JSONDecoder().decode
LONG_NAMES = {"desc": "description", "narr": "narrative"}
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class NotText(InputError):
    """The file is not text in UTF-8."""


class NoRecords(InputError):
    """The file has no records."""


def read_text_records(source: Source, faults: Faults, *, columns: Sequence[str] = ()) -> Iterator[Record]:
    """Records of a file, packed or not; its first character decides the format.

    ``{`` starts JSON lines and ``<`` TREC topics; anything else is a table, TSV if its first line has a tab,
    else CSV. That line is the header, unless ``columns`` names the columns of a table without one.
    Raises NotText, NoRecords, UnreadableFile, TooManyBytes, LineTooLong.
    """
    source_blocks = Blocks(source, max_bytes=MAX_TEXT_BYTES, line_bytes=LONGEST_LINE)
    blocks = iter(source_blocks)
    first = next(blocks, b"")
    refuse_other_encodings(first, source_blocks.name)
    while not first.strip() and (more := next(blocks, b"")):
        first += more
    beginning = first.lstrip()[:1]
    if not beginning:
        raise NoRecords(f"{source_blocks.name}: the file is empty. Write one record per line.")
    content = chain([first], blocks)
    if beginning == b"{":
        return json_lines(content, faults)
    if beginning == b"<":
        return _trec_topics(decoded(b"".join(content), source_blocks.name), source_blocks.name, faults)
    return _table(content, source_blocks.name, faults, columns)


def refuse_other_encodings(content: bytes, name: str) -> None:
    """Raise NotText for UTF-16 and UTF-32, recognised by byte order marks or NUL bytes."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:64]:
        raise NotText(f"{name}: this looks like UTF-16 or a binary file. Save it as plain text in UTF-8.")


def decoded(content: bytes, name: str, *, lines_before: int = 0) -> str:
    """The file, or its part after ``lines_before`` lines, as text. NotText names the first invalid line."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = lines_before + content.count(b"\n", 0, error.start) + 1
        raise NotText(f"{name}, line {line:,}: bytes that are not UTF-8. Save the file in UTF-8.") from error


def json_lines(blocks: Iterable[bytes], faults: Faults) -> Iterator[Record]:
    """One record per line; each line that is not a JSON object in UTF-8 is a fault."""
    for place, values in json_objects(blocks, faults):
        if record := record_of(values, place, faults):
            yield record


def json_objects(blocks: Iterable[bytes], faults: Faults) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects with their places, from blocks of whole lines."""
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        place = f"line {number:,}"
        try:
            values = _decode(line.decode()) if line.strip() else None
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
    """One document without content per line. Raises NotText, UnreadableFile, TooManyBytes."""
    number = 0
    for block in Blocks(source, max_bytes=MAX_TEXT_BYTES):
        refuse_other_encodings(block, "The list")
        for line in decoded(block, "The list").splitlines():
            number += 1
            if line.strip():
                yield Record(f"line {number:,}", line.strip())


def _table(blocks: Iterable[bytes], name: str, faults: Faults, given: Sequence[str]) -> Iterator[Record]:
    lines = _text_lines(blocks, name)
    first = next(lines)
    separator = "\t" if "\t" in first else ","
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(chain([first], lines), delimiter=separator, strict=True)
    try:
        columns = [column.strip() for column in (given or next(rows))]
        named = _name_column(columns, name)
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


def _name_column(columns: Sequence[str], name: str) -> str:
    """The column of names. Raises NoRecords if the first line has none, or a number: it is not a header."""
    found = next((column for column in columns if column.lower() in NAMES), None)
    is_header = len(set(columns)) == len(columns) and not any(column.isdecimal() for column in columns)
    if found is None or not is_header:
        raise NoRecords(
            f"{name}: the first line is not a header. Name the columns there, each once and one of them id, "
            "docno or topic: id, title, description. Or upload it again and name its columns in the form."
        )
    return found


def _text_lines(blocks: Iterable[bytes], name: str) -> Iterator[str]:
    """Lines with their line ends. NotText names the first that is not UTF-8."""
    line_count = 0
    for block in blocks:
        yield from io.StringIO(decoded(block, name, lines_before=line_count), newline="")
        line_count += block.count(b"\n")


def _trec_topics(text: str, name: str, faults: Faults) -> Iterator[Record]:
    found = False
    line, counted_to = 1, 0
    for start, attributes, body in _topic_elements(text):
        line, counted_to = line + text.count("\n", counted_to, start), start
        place = f"line {line:,}"
        if body is None:
            faults.add(ImportFault.NOT_CLOSED, place, text[start : start + LONGEST_EXAMPLE])
            continue
        found = True
        fields = {
            LONG_NAMES.get(key.lower(), key.lower()): _unlabelled(value) for key, value in FIELD.findall(body)
        }
        attribute = NUMBER_ATTRIBUTE.search(attributes)
        number = (
            fields.pop("num", "") or (attribute[1].strip() if attribute else "") or fields.pop("number", "")
        )
        if record := record_of({**fields, "id": number or fields.get("id")}, place, faults):
            yield record
    if not found:
        raise NoRecords(f"{name}: no topics in it. Write each as <top> … </top> or <topic> … </topic>.")


def _topic_elements(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Offset, attributes and content of each <top> or <topic> element, in one pass.

    The content is None if the next element, or the end, comes before an end tag. A <topic> in a <top> is a
    field.
    """
    opened: re.Match[str] | None = None
    for tag in TOPIC_TAG.finditer(text):
        if opened and (opened["name"].lower(), tag["name"].lower()) == ("top", "topic"):
            continue
        if opened:
            content = text[opened.end() : tag.start()] if tag["slash"] else None
            yield opened.start(), opened["attributes"], content
        opened = None if tag["slash"] else tag
    if opened:
        yield opened.start(), opened["attributes"], None


def _unlabelled(value: str) -> str:
    text = SPOKEN.sub("", value)
    for entity, letter in ENTITIES:
        text = text.replace(entity, letter)
    return " ".join(text.split())
