"""Readers of imports: topics and documents with their texts, or their names alone."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import IO

from trackside.errors import InputError
from trackside.files.streams import Blocks, Source
from trackside.imports.faults import KINDS, Faults, ImportFault, decoded
from trackside.imports.fields import Row, Use
from trackside.imports.folders import folder_records, records_of_folder
from trackside.imports.parquet import parquet_rows
from trackside.imports.records import Record, RecordMaker
from trackside.imports.text_files import (
    LONGEST_LINE,
    cells_of,
    is_header,
    rows_of_blocks,
    separator_of,
    text_rows,
)

_CONTAINERS = (b"PK\3\4", b"PAR1")  # zip and Parquet
_NAMELESS = (ImportFault.NO_NAME, ImportFault.NOT_JSON, ImportFault.NOT_UTF8, ImportFault.NOT_CLOSED)


def read_topics(source: Source, *, noun: str = "topic") -> set[str]:
    """The topics of a file in any format that an import of topics reads, or of a list.

    A list has the topic in the first column of each line, such as a tab-separated file without a header, and
    qrels; its lines that start with # are skipped. ``noun`` is the word of errors. Raises InputError.
    """
    faults = Faults()
    maker = RecordMaker(faults)
    if isinstance(source, (str, Path)) and Path(source).is_file():
        with Path(source).open("rb") as file:
            if file.read(4) in _CONTAINERS:
                file.seek(0)
                return _names(
                    read_collection(file, str(source), faults, maker=maker), str(source), maker, noun
                )
    blocks = Blocks(source, line_bytes=LONGEST_LINE)
    pieces = iter(blocks)
    first = next((piece for piece in pieces if piece.strip()), b"")
    content = chain([first], pieces)
    if not _is_list(first):
        return _names(
            records_of(rows_of_blocks(content, blocks.name, faults), maker), blocks.name, maker, noun
        )
    topics = set(_first_columns(content, blocks.name))
    if not topics:
        raise InputError(f"{blocks.name}: no {noun}s in it. Write one {noun} per line.")
    return topics


def read_docnos(path: str) -> set[str] | None:
    """The docnos of a file of documents in any format that an import reads; None if the file is a list.

    Lists may have commas and further columns: only a header with a known name of ids makes a table.
    """
    if not Path(path).is_file():
        return None
    first = next(iter(Blocks(path, line_bytes=LONGEST_LINE)), b"").lstrip()
    line = first.partition(b"\n")[0].decode("utf-8", "replace").strip()
    cells = cells_of(line, separator_of(line))
    if first.startswith((*_CONTAINERS, b"{", b"[", b"<")) or is_header(cells, []):
        return read_topics(path, noun="docno")
    return None


def _is_list(first: bytes) -> bool:
    """Whether the first line is neither JSON nor markup nor a header.

    Names of columns that are not known are single words: lists may have titles.
    """
    lines = [line.strip() for line in first.decode("utf-8", "replace").splitlines() if line.strip()]
    line, below = [*(line for line in lines if not line.startswith("#")), "", ""][:2]
    separator = separator_of(line)
    cells = cells_of(line, separator)
    if line.startswith(("{", "[", "<")) or is_header(cells, []):
        return False
    is_titled = any(len(cell.split()) > 1 for cell in cells)
    return is_titled or not is_header(cells, below.split(separator) if below else [])


def _first_columns(blocks: Iterable[bytes], name: str) -> Iterator[str]:
    line_count = 0
    for block in blocks:
        decoded(block, name, lines_before=line_count)
        for line in block.splitlines():
            if line.strip() and not line.startswith(b"#"):
                yield line.split()[0].decode()
        line_count += block.count(b"\n")


def _names(records: Iterable[Record], name: str, maker: RecordMaker, noun: str) -> set[str]:
    """The names of the records. Raises InputError for the first record without a name."""
    topics, faults = {record.name for record in records}, maker.faults
    for kind in _NAMELESS:
        if kind in faults.counts:
            location, value = faults.examples[kind][0]
            cure = KINDS[kind].cure
            fields = ", ".join(sorted(maker.counts.filled))
            if kind == ImportFault.NO_NAME and fields and Use.NAME not in maker.counts.uses.values():
                cure = f"It has the fields: {fields}. Rename the field with the {noun}s to id."
            raise InputError(f"{name}, {location}: {KINDS[kind].title}: {value}. {cure}")
    if not topics:
        raise InputError(f"{name}: no {noun}s in it. Write one {noun} per line.")
    return topics


def read_path(path: str, maker: RecordMaker, files: ExitStack) -> Iterator[Record]:
    """Records of a file or archive, as ``read_collection`` reads them, or of a folder.

    ``files`` closes the file, whose pictures may be read later. Raises InputError.
    """
    if Path(path).is_dir():
        return records_of_folder(Path(path), maker)
    try:
        file = files.enter_context(Path(path).open("rb"))  # noqa: SIM115 - closed by files
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. Name a file, a zip or a folder.") from error
    return read_collection(file, path, maker.faults, maker=maker)


def read_collection(
    file: IO[bytes],
    path: str,
    faults: Faults,
    *,
    columns: Sequence[str] = (),
    maker: RecordMaker | None = None,
) -> Iterator[Record]:
    """Records of documents or topics; the file's first bytes decide the format: zip, Parquet or text.

    ``path`` is the path of the same bytes on disk, ``columns`` names the columns of a table without a header.
    ``maker`` holds the organizer's choice of fields and counts them. Every value of the file ends in a
    record, in its ``left_out``, or in a fault. Raises InputError for a file that cannot be read at all.
    """
    maker = maker or RecordMaker(faults)
    beginning = file.read(4)
    file.seek(0)
    if beginning == b"PK\3\4":
        return folder_records(file, maker, columns)
    if beginning == b"PAR1":
        return records_of(parquet_rows(path, faults, maker.choice), maker)
    return records_of(text_rows(file, faults, columns=columns), maker)


def records_of(rows: Iterable[Row], maker: RecordMaker) -> Iterator[Record]:
    """Records of rows; those without a name are faults."""
    return (record for row in maker.prepare(rows) if (record := maker.record(row)))
