"""Records in the text format of PostgreSQL's COPY, so that the importing process passes bytes on."""

from json.encoder import encode_basestring as _quoted

from trackside.imports.records import Record

_NULL = "\\N"


def copy_line(record: Record, image: str | None) -> str:
    """Return a line of name, fields as JSON, key of the image (None without one), note, stratum and place.

    See PostgreSQL's documentation of COPY, "Text Format".
    """
    pairs = ", ".join([f"[{_quoted(name)}, {_quoted(text)}]" for name, text in record.fields])
    fields = f"[{pairs}]".replace("\\", "\\\\")  # JSON has no tab and no line end
    others = map(_escaped, (record.note, record.stratum, record.place))
    return "\t".join((_escaped(record.name), fields, image or _NULL, *others)) + "\n"


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\")
    return escaped.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
