"""Read the records of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trackside.imports.collections import records_of
from trackside.imports.records import RecordMaker
from trackside.imports.text_files import text_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trackside.imports.faults import Faults
    from trackside.imports.records import Record


def read_text_records(content: bytes, faults: Faults, *, columns: Sequence[str] = ()) -> Iterator[Record]:
    """The records of a text file, packed or not."""
    return records_of(text_rows(content, faults, columns=columns), RecordMaker(faults))
