"""Records in the text format of PostgreSQL's COPY, so that the importing process passes bytes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluation.core.imports.records import Record

_json = json.JSONEncoder(ensure_ascii=False).encode
_NULL = "\\N"


def copy_line(record: Record, image: str | None) -> str:
    """Return a line of name, fields as JSON, key of the image (None without one), note and place.

    See PostgreSQL's documentation of COPY, "Text Format".
    """
    fields = _json(record.fields).replace("\\", "\\\\")  # JSON has no tab and no line end
    cells = (_escaped(record.name), fields, image or _NULL, _escaped(record.note), _escaped(record.place))
    return "\t".join(cells) + "\n"


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\")
    return escaped.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
