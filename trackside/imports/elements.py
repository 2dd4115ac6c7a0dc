"""Elements of topics in markup as the fields of a row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.entities import html5
from typing import Any

from trackside.imports.fields import ATTRIBUTE, PICTURES, Row, find_key, unique_keys

TEXT = "text"  # the field of text that stands in no element of a topic
LONG_NAMES = {"desc": "description", "narr": "narrative"}
# TREC repeats the field's name in its text: <num> Number: 301, <desc> Description: ...
_LABELS = {
    "num": "number",
    "number": "number",
    "title": "title|topic",
    "description": "description",
    "narrative": "narrative",
    # The fields of TREC-1 to TREC-3.
    "dom": "domain",
    "smry": "summary",
    "con": r"concept\(s\)",
    "fac": r"factor\(s\)",
    "nat": "nationality",
    "time": "time",
    "def": r"definition\(s\)",
}
_LABEL_PATTERNS = {
    name: re.compile(rf"\s*(?:{words})(?:\s*:|[ \t]*\r?\n)", re.IGNORECASE) for name, words in _LABELS.items()
}
_NUMBERS = ("num", "@number", "@id", "@num", "@qid", "number")  # of a topic, before the names of all files
_MARKS = ("number", "id", "num", "lang", "xml:lang", "type")  # attributes that tell equal elements apart
_REFERENCE = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_LAST_CHARACTER = 0x10FFFF


@dataclass(slots=True)
class Element:
    """An element of a topic, with its attributes and its text."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


def topic_row(location: str, attributes: Mapping[str, str], elements: list[Element]) -> Row:
    """A row of a topic's elements and attributes.

    Attributes are fields such as ``@type`` and ``subtopic 1@type``; equal elements are told apart by an
    attribute or counted, but several pictures are one list. Labels that repeat an element's name are left out
    of its text, as are repeated blanks and line ends.
    """
    names = [LONG_NAMES.get(element.name.lower(), element.name.lower()) for element in elements]
    hints = [_hint(element.attributes) for element in elements]
    pairs: list[tuple[str, Any]] = [(f"{ATTRIBUTE}{key.lower()}", value) for key, value in attributes.items()]
    keyed = unique_keys(zip(names, elements, strict=True), hints)
    several = {name for name in names if name in PICTURES and names.count(name) > 1}
    for (key, element), name in zip(keyed, names, strict=True):
        if name not in several:
            pairs.append((key, _unlabelled(element.text, name)))
        pairs += [(f"{key}{ATTRIBUTE}{mark.lower()}", value) for mark, value in element.attributes.items()]
    for name in sorted(several):
        same = zip(elements, names, strict=True)
        pairs.append((name, [element.text.strip() for element, other in same if other == name]))
    values = dict(unique_keys(pairs))
    number = next((key for key in _NUMBERS if key in values and values[key].strip()), "")
    return Row(location, values, number or find_key(values, ("id", "qid", "docno")))


def _hint(attributes: Mapping[str, str]) -> str:
    return next((attributes[mark].strip() for mark in _MARKS if attributes.get(mark, "").strip()), "")


def _unlabelled(text: str, name: str) -> str:
    label = _LABEL_PATTERNS[name].match(text) if name in _LABEL_PATTERNS else None
    return " ".join((text[label.end() :] if label else text).split())


def resolved(text: str) -> str:
    """The text with characters for references such as ``&amp;`` and ``&#233;``; unknown ones stay."""
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    body = reference[1]
    if not body.startswith("#"):
        return html5.get(f"{body};", reference[0])
    code = int(body[2:], 16) if body[1] in "xX" else int(body[1:])
    return chr(code) if 0 < code <= _LAST_CHARACTER else reference[0]
