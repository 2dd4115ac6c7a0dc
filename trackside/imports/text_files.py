"""Reads topics and captions from text: JSON, tables, topics in XML and SGML, and plain lists of docnos."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from trackside.files.streams import Blocks, Source
from trackside.imports.faults import Faults, NoRecords, decoded, refuse_other_encodings
from trackside.imports.fields import Row
from trackside.imports.json_files import json_rows
from trackside.imports.records import Record
from trackside.imports.sgml import sgml_rows
from trackside.imports.tables import table_rows, text_lines
from trackside.imports.xml_files import NotXml, xml_rows

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
