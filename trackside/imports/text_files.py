"""Reads topics and captions from text: JSON, tables, topics in XML and SGML, and plain lists of docnos.

Tables are CSV with quotes, and TSV, whose cells are the text between two tabs. Spreadsheets of many countries
write CSV with semicolons, and Flickr30k has bars.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from trackside.files.streams import Blocks, Source
from trackside.imports.faults import Faults, ImportFault, NoRecords, NotText, decoded, refuse_other_encodings
from trackside.imports.field_names import NAMES, PICTURES, find_key
from trackside.imports.fields import Row
from trackside.imports.json_files import json_rows
from trackside.imports.markup import NotXml, xml_rows
from trackside.imports.records import Record
from trackside.imports.sgml import sgml_rows

MAX_TEXT_BYTES = 20_000_000_000  # unpacked; read as a stream, except for markup and JSON that is not lines
LONGEST_LINE = 10_000_000  # bytes


def text_rows(source: Source, faults: Faults, *, columns: Sequence[str] = ()) -> Iterator[Row]:
    """Rows of a file, packed or not. Raises NotText, NoRecords, UnreadableFile, TooManyBytes, LineTooLong."""
    blocks = Blocks(source, max_bytes=MAX_TEXT_BYTES, line_bytes=LONGEST_LINE)
    return rows_of_blocks(blocks, blocks.name, faults, columns=columns)


def rows_of_blocks(
    blocks: Iterable[bytes], name: str, faults: Faults, *, columns: Sequence[str] = ()
) -> Iterator[Row]:
    """Rows of blocks of whole lines; the first character decides the format.

    ``{`` and ``[`` start JSON and ``<`` markup; anything else is a table, with ``columns`` if it has no
    header. Raises NotText, NoRecords.
    """
    pieces = iter(blocks)
    first = next(pieces, b"")
    refuse_other_encodings(first, name)
    while not first.strip() and (more := next(pieces, b"")):
        first += more
    beginning = first.lstrip()[:1]
    if not beginning:
        raise NoRecords(f"{name}: the file is empty. Write one record per line.")
    content = chain([first], pieces)
    if beginning in (b"{", b"["):
        return json_rows(content, name, faults)
    if beginning != b"<":
        return table_rows(content, name, faults, columns)
    markup = b"".join(content)
    try:
        return iter(list(xml_rows(markup.lstrip(), name, faults)))
    except NotXml:  # SGML
        text = decoded(markup, name).replace("\r\n", "\n").replace("\r", "\n")
        return sgml_rows(text, name, faults)


def docno_lines(source: Source) -> Iterator[Record]:
    """One document without content per line. Raises NotText, UnreadableFile, TooManyBytes."""
    blocks = Blocks(source, max_bytes=MAX_TEXT_BYTES)
    for number, line in enumerate(text_lines(blocks, "The list"), start=1):
        if line.strip():
            yield Record(f"line {number:,}", line.strip())


LONGEST_CELL = 10_000_000  # characters
_DIGITS = re.compile(r"[0-9]+")


def table_rows(blocks: Iterable[bytes], name: str, faults: Faults, columns: Sequence[str]) -> Iterator[Row]:
    """Rows of a table, whose separator the first line shows.

    The first line is the header, unless ``columns`` names the columns. Raises NotText, NoRecords.
    """
    lines = text_lines(blocks, name)
    start = next(lines)
    separator = separator_of(start)
    lines = chain([start], lines)
    # In TSV a quote is a character like any other.
    tab_rows = enumerate((line.rstrip("\r\n").split("\t") for line in lines), start=1)
    rows = iter(tab_rows) if separator == "\t" else _csv_rows(lines, name, separator)
    first = next(rows)
    header = [cell.strip() for cell in first[1]]
    rows = (row for row in rows if any(cell.strip() for cell in row[1]))
    if not columns:
        below = next(rows, None)
        if find_key(header, (*NAMES, *PICTURES)) and (repeated := _repeated(header)):
            raise NoRecords(
                f"{name}, line 1: the header has {', '.join(repeated)} twice. Name the columns, each once."
            )
        if not is_header(header, below[1] if below else []):
            raise NoRecords(
                f"{name}: the first line is not a header. Name the columns there, each once, separated by "
                "commas or tabs: id, title, description. Or upload it again and name its columns in the form."
            )
        header = [cell or f"column {number}" for number, cell in enumerate(header, start=1)]
        rows = chain([below] if below else [], rows)
    elif header != list(columns):
        rows = chain([first], rows)
    keys = list(columns) or header
    for number, cells in rows:
        location = f"line {number:,}"
        if len(cells) == len(keys):
            yield Row(location, dict(zip(keys, cells, strict=True)))
        else:
            faults.add(ImportFault.COLUMN_COUNT, location, separator.join(cells))


def _repeated(header: Sequence[str]) -> list[str]:
    return [cell for cell, count in Counter(header).items() if cell and count > 1]


def separator_of(line: str) -> str:
    """The tab, else what stands beside a known name of ids or pictures, else what is there."""
    if "\t" in line:
        return "\t"
    known, marks = (*NAMES, *PICTURES), [mark for mark in ",;|" if mark in line]
    return next((mark for mark in marks if find_key(cells_of(line, mark), known)), next(iter(marks), ","))


def cells_of(line: str, separator: str) -> list[str]:
    """The names of a header, without blanks and quotes around them."""
    return [cell.strip(' "\r\n') for cell in line.split(separator)]


def _csv_rows(lines: Iterable[str], name: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(lines, strict=True, delimiter=separator)
    try:
        for cells in rows:
            yield rows.line_num, cells
    except csv.Error as error:
        raise NotText(
            f'{name}, line {rows.line_num:,}: {error}. Quote texts with " and double quotes inside them.'
        ) from error


def is_header(cells: Sequence[str], below: Sequence[str]) -> bool:
    """Whether the first line names columns, each once and none by a number; some may have no name.

    Without a known name of ids or pictures, it has several cells, and none with a digit is like the one below
    it: "q1" and "q2" are two records.
    """
    names = [cell for cell in cells if cell]
    if not names or len(set(names)) < len(names) or any(name.isdecimal() for name in names):
        return False
    is_known = bool(find_key(cells, (*NAMES, *PICTURES)))
    return is_known or (len(cells) > 1 and bool(below) and not any(map(_differ_in_digits, cells, below)))


def _differ_in_digits(cell: str, below: str) -> bool:
    shape = _DIGITS.sub("0", cell)
    return shape == _DIGITS.sub("0", below.strip()) and "0" in shape


def text_lines(blocks: Iterable[bytes], name: str) -> Iterator[str]:
    """Lines with their line ends. NotText names the first that is not UTF-8."""
    line_count = 0
    for block in blocks:
        yield from io.StringIO(decoded(block, name, lines_before=line_count), newline="")
        line_count += block.count(b"\n")
