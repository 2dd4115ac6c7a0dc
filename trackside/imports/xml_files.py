"""Rows of XML: topics of TREC's later tracks and of NTCIR, or any file whose root holds its records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from trackside.errors import InputError
from trackside.imports.elements import TEXT, Element, topic_row
from trackside.imports.faults import Faults, ImportFault, NoRecords
from trackside.imports.fields import Row

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
