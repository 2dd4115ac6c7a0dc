"""Elements of topics in markup as the fields of a row, and rows of XML.

XML are topics of TREC's later tracks and of NTCIR, or any file whose root holds its records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.entities import html5
from typing import Any
from xml.parsers import expat

from trackside.errors import InputError
from trackside.imports.faults import Faults, ImportFault, NoRecords
from trackside.imports.field_names import ATTRIBUTE, PICTURES, find_key
from trackside.imports.fields import Row, unique_keys

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


TOPICS, DOCUMENTS = frozenset({"top", "topic"}), frozenset({"doc"})
DEEPEST = 100  # elements within elements


class NotXml(Exception):
    """The file is not well-formed XML: TREC's older topics are SGML."""


@dataclass(slots=True)
class _Node:
    """An element; ``parts`` are its texts and elements in order."""

    name: str
    attributes: dict[str, str]
    line: int
    parts: list[str | _Node] = field(default_factory=list)

    @property
    def children(self) -> list[_Node]:
        return [part for part in self.parts if isinstance(part, _Node)]

    @property
    def own_text(self) -> str:
        return "".join(part for part in self.parts if isinstance(part, str))

    def whole_text(self) -> str:
        """The text with that of the elements in it."""
        return "".join(part if isinstance(part, str) else part.whole_text() for part in self.parts)


def xml_rows(content: bytes, name: str, faults: Faults) -> Iterator[Row]:
    """One row per <top> or <topic>; without any, per <DOC>, or else per child of the root.

    Texts and attributes outside are faults. Raises NotXml, xml-refused, and NoRecords without fields.
    """
    root = _parsed(content)
    records: list[_Node] = []
    outside: list[tuple[int, str]] = []
    # A <topic> with neither fields nor a number is itself a field.
    for is_record in (
        lambda node: node.name.lower() in TOPICS and bool(node.attributes or node.children),
        lambda node: node.name.lower() in DOCUMENTS and bool(node.children),
        lambda node: node is not root,
    ):
        outside.clear()
        _collect(root, is_record, records, outside)
        if records:
            break
    rows = []
    for node in records:
        texts = [Element(TEXT, text=node.own_text)] if node.own_text.strip() else []
        elements = [*texts, *(element for child in node.children for element in _fields(child))]
        rows.append(topic_row(f"line {node.line:,}", node.attributes, elements))
    if all(row.values.keys() <= {TEXT} for row in rows):
        raise NoRecords(
            f"{name}: no topics in it. Write each as <top> … </top> or <topic> … </topic>, "
            "documents as <DOC> … </DOC>."
        )
    for line, text in outside:
        faults.add(ImportFault.NO_RECORD, f"line {line:,}", text)
    yield from rows


def _collect(
    node: _Node, is_record: Callable[[_Node], bool], records: list[_Node], outside: list[tuple[int, str]]
) -> None:
    """Find the outermost records below a node, and the texts and attributes outside of them."""
    if is_record(node):
        records.append(node)
        return
    attributes = [(key, value) for key, value in node.attributes.items() if not key.startswith("xmlns")]
    outside += [(node.line, f'{key}="{value}"') for key, value in attributes]
    if text := node.own_text.strip():
        outside.append((node.line, text))
    for child in node.children:
        _collect(child, is_record, records, outside)


def _fields(node: _Node) -> Iterator[Element]:
    """The elements with text, also those within elements that have none of their own."""
    if not node.children or node.own_text.strip():
        yield Element(node.name, node.attributes | _inner_attributes(node), node.whole_text())
        return
    if node.attributes:
        yield Element(node.name, node.attributes)
    for child in node.children:
        yield from _fields(child)


def _inner_attributes(node: _Node) -> dict[str, str]:
    """The attributes of markup within a text, such as the address of a link."""
    attributes: dict[str, str] = {}
    for child in node.children:
        for name, value in (child.attributes | _inner_attributes(child)).items():
            key = f"{child.name}-{name}"
            attributes[key] = f"{attributes[key]} {value}" if key in attributes else value
    return attributes


def _parsed(content: bytes) -> _Node:
    """The root element. References to characters and CDATA are text; no entity is declared or loaded."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    stack = [_Node("", {}, 1)]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > DEEPEST:
            raise InputError(
                f"line {parser.CurrentLineNumber:,}: more than {DEEPEST} elements within each other.",
                code="xml-refused",
            )
        node = _Node(name, attributes, parser.CurrentLineNumber)
        stack[-1].parts.append(node)
        stack.append(node)

    def refuse(name: str, *_: Any) -> None:
        raise InputError(
            f"The XML declares the entity {name}. Write its text instead, without a declaration.",
            code="xml-refused",
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = lambda text: stack[-1].parts.append(text)
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)  # noqa: FBT003 - expat has no keyword
    except (expat.ExpatError, ValueError, LookupError) as error:  # the latter for an unknown encoding
        raise NotXml(str(error)) from error
    return stack[0].children[0]
