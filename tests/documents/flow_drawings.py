"""The flows that docs/architecture.md draws: requests and messages, and the calls of each."""

import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[2] / "docs" / "architecture.md"
DRAWING = re.compile(r"^### (?P<title>[^\n]+)\n+```flow\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE)
HEAD = re.compile(r"(?:web: (?:GET|POST) \w+|queue \w+: [\w.]+)(?= |$)")
STEP = re.compile(r"(?P<depth>(?:  )+)(?P<step>enqueue [\w.]+|\w+)(?P<cut> \.\.\.)?(?:  +\S.*)?")
CUT = " ..."


class DrawingUnreadable(Exception):
    """A line that is neither a request, nor a message, nor a step."""


@dataclass(frozen=True)
class Drawing:
    """A flow as it is drawn: ``lines`` without comments, and the names whose insides are left out."""

    title: str
    lines: list[str]
    cut: frozenset[str]

    @property
    def names(self) -> set[str]:
        """The functions that are drawn."""
        return {line.split()[0] for line in self.lines if line.startswith(" ")}


def drawings() -> dict[str, Drawing]:
    """The drawings by their titles. Raises DrawingUnreadable."""
    return {
        found["title"]: _drawing(found["title"], found["text"])
        for found in DRAWING.finditer(FILE.read_text())
    }


def _drawing(title: str, text: str) -> Drawing:
    lines, cut = [], set()
    for line in text.splitlines():
        head, step = HEAD.match(line), STEP.fullmatch(line)
        if head:
            lines.append(head[0])
        elif step:
            lines.append(step["depth"] + step["step"])
            cut |= {step["step"]} if step["cut"] else set()
        else:
            raise DrawingUnreadable(f"{title}: {line}")
    return Drawing(title, lines, frozenset(cut))
