"""The reader of topics and documents, for the site, the command and the library."""

from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from trackside.imports.faults import Faults
from trackside.imports.folders import folder_records
from trackside.imports.parquet import parquet_rows
from trackside.imports.records import Record, RecordMaker
from trackside.imports.rows import Row
from trackside.imports.text_files import text_rows


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
    return (record for row in rows if (record := maker.record(row)))
