"""Read tests/browser/pages.txt: the pages that browser tests open, and their readers."""

import re
from dataclasses import dataclass
from pathlib import Path

from evaluation.models import Phase
from tests.whole_site import ROLES

FILE = Path(__file__).with_name("pages.txt")
OUTSIDE = "-"
MODEL_PAGE = re.compile(r"admin:[a-z]+_[a-z]+_(?P<page>changelist|add|history|delete|change)")


@dataclass(frozen=True)
class Visit:
    """One line: a page, its reader, the phase (none outside tasks) and the row it is opened for, if any."""

    name: str
    role: str
    phase: Phase | None
    thing: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.role, self.phase, self.thing)))


def _tables() -> tuple[list[list[str]], list[list[str]]]:
    """The words of each line of the two tables, without their heads."""
    lines = [line.split() for line in FILE.read_text().splitlines() if line and not line.startswith("#")]
    second = lines.index(["model", "page", "models"])
    assert lines[0] == ["name", "role", "phase", "thing"]
    return lines[1:second], lines[second + 1 :]


def visits() -> list[Visit]:
    """The pages except the admin's pages of models, grouped by phase and reader."""
    found = [
        Visit(name, role, None if phase == OUTSIDE else Phase(phase), *thing)
        for name, role, phase, *thing in _tables()[0]
    ]
    return sorted(found, key=lambda visit: (visit.phase or "", ROLES.index(visit.role)))


def model_pages() -> dict[str, list[str]]:
    """The labels of the models that each of the admin's pages is opened for; an empty list means all."""
    return {page: labels for page, *labels in _tables()[1]}
