"""Read the records of a text."""

from collections.abc import Iterator, Sequence

from trackside.imports.faults import Faults
from trackside.imports.readers import records_of
from trackside.imports.records import Record, RecordMaker
from trackside.imports.text_files import text_rows


def read_text_records(content: bytes, faults: Faults, *, columns: Sequence[str] = ()) -> Iterator[Record]:
    """The records of a text file, packed or not."""
    return records_of(text_rows(content, faults, columns=columns), RecordMaker(faults))


def read(content: str) -> tuple[list[Record], Faults]:
    """The records of a text, and its faults."""
    faults = Faults()
    return list(read_text_records(content.encode(), faults)), faults
