"""TREC's topics and documents in SGML, often without end tags: a tokenizer that keeps every other text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trackside.imports.faults import Faults, ImportFault, NoRecords
from trackside.imports.fields import Row
from trackside.imports.markup import TEXT, Element, resolved, topic_row

# All are linear: no quantifier can give back what it took, or its class excludes what follows.
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w:.-]*+)(?P<rest>[^<>]*+)>")
_ATTRIBUTE = r"""\s++([\w:.-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'=<>/]++)"""
_ATTRIBUTES = re.compile(rf"(?:{_ATTRIBUTE})*+\s*+/?")
_END_REST = re.compile(r"\s*+")
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
_DECLARATION = re.compile(r"<(?:\?|!(?:DOCTYPE|doctype))[^<>]*+>")
# What begins a record, and which of the others are fields or text within it.
_TOPICS = {"top": ("topic", "doc"), "topic": ("doc",), "doc": ("top", "topic")}
# Elements of TREC's, CLEF's and NTCIR's topics. Any other tag is a field only at the beginning of a line.
_KNOWN = """
    num number id qid docno title desc description narr narrative query question topic subtopic text content
    keywords concepts con dom domain smry summary def fac nat time head image note date type facet aspect
    context task url stratum
"""
_FIELDS = frozenset(_KNOWN.split())
_LANGUAGE_FIELD = re.compile(r"[a-z]{1,3}-[a-z]+")  # CLEF: <EN-title>
# HTML's markup within a text, which is never a field.
_MARKUP = """
    a abbr b big br center code dd div dl dt em font h1 h2 h3 hr i img li ol p pre s small span strike strong
    sub sup table tbody td th tr tt u ul
"""
_HTML = frozenset(_MARKUP.split())
DEEPEST_INDENT = 100  # characters before a tag at the beginning of a line


@dataclass(slots=True)
class _Topic:
    """A topic that is being read, with the names of its fields; ``elements[-1]`` is open if ``is_open``."""

    start: int
    name: str
    attributes: dict[str, str]
    elements: list[Element] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    pieces: list[str] = field(default_factory=list)
    is_open: bool = False

    def open(self, name: str, attributes: dict[str, str]) -> None:
        """Start a field, which ends the one before."""
        self.close()
        self.elements.append(Element(name, attributes))
        self.names.add(name.lower())
        self.is_open = True

    def close(self) -> None:
        """End the open field; text outside all fields becomes a field of its own."""
        text = "".join(self.pieces)
        self.pieces.clear()
        if self.is_open:
            self.elements[-1].text = text
        elif text.strip():
            self.elements.append(Element(TEXT, text=text))
        self.is_open = False


def sgml_rows(text: str, name: str, faults: Faults) -> Iterator[Row]:
    """One row per <top>, <topic> or <DOC>. Unknown tags, and ``<`` without a tag, are text.

    Text and attributes outside all topics are faults, and so is a topic without an end tag. Raises NoRecords.
    """
    reader, has_topics = _Reader(text, faults), False
    for row in reader.rows():
        has_topics = True
        yield row
    if not has_topics and not faults.counts.get(ImportFault.NOT_CLOSED):
        raise NoRecords(
            f"{name}: no topics in it. Write each as <top> … </top> or <topic> … </topic>, "
            "documents as <DOC> … </DOC>."
        )


class _Reader:
    def __init__(self, text: str, faults: Faults) -> None:
        self._text = text
        self._faults = faults
        self._topic: _Topic | None = None
        self._line, self._counted_to = 1, 0
        self._last_ends: dict[str, int] = {}  # where each ending of comments and CDATA no longer follows

    def rows(self) -> Iterator[Row]:
        """The topics in order."""
        position = 0
        while (start := self._text.find("<", position)) >= 0:
            self._add(position, start)
            position, row = self._markup(start)
            if row:
                yield row
        self._add(position, len(self._text))
        self._refuse_open(len(self._text))

    def _place(self, position: int) -> str:
        self._line += self._text.count("\n", self._counted_to, position)
        self._counted_to = position
        return f"line {self._line:,}"

    def _add(self, start: int, end: int, *, is_raw: bool = False) -> None:
        """Add text to the open field, or note it as outside all topics."""
        piece = self._text[start:end]
        if self._topic is not None:
            self._topic.pieces.append(piece if is_raw else resolved(piece))
        elif piece.strip():
            self._faults.add(ImportFault.NO_RECORD, self._place(start), piece.strip())

    def _markup(self, start: int) -> tuple[int, Row | None]:
        """Read the markup at ``<``; return where the text goes on, and the topic that ends there."""
        for opening, ending in (("<!--", "-->"), ("<![CDATA[", "]]>")):
            end = self._end_of(ending, start) if self._text.startswith(opening, start) else -1
            if end >= 0:
                if opening != "<!--":
                    self._add(start + len(opening), end, is_raw=True)
                return end + len(ending), None
        if declaration := _DECLARATION.match(self._text, start):
            return declaration.end(), None
        tag = _TAG.match(self._text, start)
        if tag is None or not (_END_REST if tag["end"] else _ATTRIBUTES).fullmatch(tag["rest"]):
            self._add(start, start + 1)
            return start + 1, None
        if tag["end"]:
            return tag.end(), self._end(tag)
        self._start(tag)
        return tag.end(), None

    def _end_of(self, ending: str, start: int) -> int:
        """Where the ending follows; -1 without one, which is searched for once."""
        if start >= self._last_ends.get(ending, len(self._text)):
            return -1
        end = self._text.find(ending, start)
        if end < 0:
            self._last_ends[ending] = start
        return end

    def _start(self, tag: re.Match[str]) -> None:
        name, topic = tag["name"].lower(), self._topic
        if name in _TOPICS and not (topic and name in _TOPICS[topic.name]):
            self._refuse_open(tag.start())
            self._topic = _Topic(tag.start(), name, _attributes(tag["rest"]))
        elif topic and self._is_field(tag, name, topic):
            topic.open(tag["name"], _attributes(tag["rest"]))
        elif topic:
            self._add(tag.start(), tag.end())
        else:
            for key, value in _attributes(tag["rest"]).items():
                self._faults.add(ImportFault.NO_RECORD, self._place(tag.start()), f'{key}="{value}"')

    def _is_field(self, tag: re.Match[str], name: str, topic: _Topic) -> bool:
        if name in _FIELDS or _LANGUAGE_FIELD.fullmatch(name):
            return True
        if name in _HTML or tag["rest"].endswith("/"):
            return False
        before = self._text[max(0, tag.start() - DEEPEST_INDENT) : tag.start()]
        _, line_end, indent = before.rpartition("\n")
        return not topic.is_open or (bool(line_end) and not indent.strip())

    def _end(self, tag: re.Match[str]) -> Row | None:
        name, topic = tag["name"].lower(), self._topic
        if topic is None:
            return None
        if topic.is_open and topic.elements[-1].name.lower() == name:
            topic.close()
        elif name == topic.name:
            topic.close()
            self._topic = None
            return topic_row(self._place(topic.start), topic.attributes, topic.elements)
        elif name not in topic.names:
            self._add(tag.start(), tag.end())
        return None

    def _refuse_open(self, end: int) -> None:
        """Add a fault for a topic that another topic or the end of the file interrupts."""
        if topic := self._topic:
            self._faults.add(ImportFault.NOT_CLOSED, self._place(topic.start), self._text[topic.start : end])


def _attributes(rest: str) -> dict[str, str]:
    pairs = _ONE_ATTRIBUTE.findall(rest)
    return {name: resolved(value[1:-1] if value[0] in "\"'" else value) for name, value in pairs}
