"""The project's documents, as Markdown: their blocks, headings, links, tables and words of code."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.ROOT)
BLOCK = re.compile(r"^```(?P<marks>[^\n]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
WEB = re.compile(r"https?:|mailto:")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind the fence, and its text."""

    marks: tuple[str, ...]
    text: str


class Document:
    """One file. ``prose`` is its text without the fenced blocks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text()
        self.prose = BLOCK.sub("", self.text)

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))

    def blocks(self, mark: str) -> list[Block]:
        """The blocks whose first word is ``mark``."""
        found = [Block(tuple(each["marks"].split()), each["text"]) for each in BLOCK.finditer(self.text)]
        return [block for block in found if block.marks[:1] == (mark,)]

    def links(self) -> list[str]:
        """Targets of its links and pictures, except web addresses."""
        return [link for link in LINK.findall(self.prose) if not WEB.match(link)]

    def anchors(self) -> set[str]:
        """The anchors of its headings, as GitHub makes them."""
        names = [_anchor(title) for title in HEADING.findall(self.prose)]
        seen: Counter[str] = Counter()
        anchors = set()
        for name in names:
            anchors.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
        return anchors

    def code(self) -> list[str]:
        """The words of code in its prose, each once."""
        return list(dict.fromkeys(" ".join(each.split()) for each in CODE.findall(self.prose)))

    def rows(self, head: str) -> list[list[str]]:
        """The cells of the table whose first title is ``head``, line by line."""
        titles = re.escape(f"| {head} |")
        found = re.search(rf"^{titles}[^\n]*\n\|[-: |]+\n((?:\|[^\n]*\n)+)", self.prose + "\n", re.MULTILINE)
        assert found, f"{self} has no table that begins with {head}"
        return [[cell.strip() for cell in line[1:-1].split("|")] for line in found[1].splitlines()]

    def commands(self) -> Iterator[str]:
        """The commands of a document: lines of ``sh`` blocks without comments, and inline code."""
        for block in self.blocks("sh"):
            yield from (line.partition(" #")[0].strip() for line in block.text.splitlines() if line.strip())
        yield from self.code()


def _anchor(title: str) -> str:
    """Source: https://docs.github.com/en/get-started/writing-on-github, section links."""
    words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower())
    return words.replace(" ", "-")


def document(name: str) -> Document:
    """Read the document at a path below the project's folder."""
    return Document(ROOT / name)


def documents() -> list[Document]:
    """Every document of the project."""
    return [Document(path) for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))]
