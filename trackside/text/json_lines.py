"""JSON lines in parts."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

PART = 1_000  # lines


def json_parts(records: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield the records as JSON lines, many at a time, because each part is compressed alone."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    while part := list(islice(lines, PART)):
        yield "".join(part)
