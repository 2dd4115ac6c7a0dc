"""Records in the text format of PostgreSQL's COPY, so that the importing process passes bytes on."""

from collections.abc import Sequence
from json.encoder import encode_basestring as _quoted

from trackside.imports.records import Record

_NULL = "\\N"


def copy_line(record: Record, images: Sequence[str]) -> str:
    """Return a line of name, fields as JSON, keys of the first image and the others, note, stratum and place.

    See PostgreSQL's documentation of COPY, "Text Format".
    """
    pairs = ", ".join([f"[{_quoted(name)}, {_quoted(text)}]" for name, text in record.fields])
    fields = f"[{pairs}]".replace("\\", "\\\\")  # JSON has no tab and no line end
    pictures = (images[0] if images else _NULL, f"{{{','.join(images[1:])}}}")
    others = map(_escaped, (record.note, record.stratum, record.place))
    return "\t".join((_escaped(record.name), fields, *pictures, *others)) + "\n"


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\")
    return escaped.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
