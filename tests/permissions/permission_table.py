"""Read tests/permissions/permissions.txt and tests/permissions/visible_rows.txt: who may see and do what."""

from dataclasses import dataclass
from pathlib import Path

from evaluation.models import Phase
from tests.whole_site import ROLES

FILE = Path(__file__).with_name("permissions.txt")
ROWS_FILE = Path(__file__).with_name("visible_rows.txt")
ADMIN_ROLES = ("staff",)
PHASES = list(Phase)
OUTSIDE = "-"


@dataclass(frozen=True)
class Row:
    """One line on a URL: the answer to each role in the phases; no phases outside tasks."""

    method: str
    name: str
    phases: tuple[Phase, ...]
    answers: dict[str, str]


def _lines(file: Path) -> list[list[str]]:
    """The words of each line of a table, its head included."""
    return [line.split() for line in file.read_text().splitlines() if line and not line.startswith("#")]


def _tables() -> tuple[list[list[str]], list[list[str]]]:
    """The words of each line of the two tables, without their heads."""
    lines = _lines(FILE)
    second = lines.index(["model", *ADMIN_ROLES])
    assert lines[0] == ["method", "name", "phases", *ROLES]
    return lines[1:second], lines[second + 1 :]


def address_rows() -> list[Row]:
    """The lines on addresses."""
    return [
        Row(method, name, _phases_of(word), dict(zip(ROLES, answers, strict=True)))
        for method, name, word, *answers in _tables()[0]
    ]


def _phases_of(word: str) -> tuple[Phase, ...]:
    if word == OUTSIDE:
        return ()
    first, _, last = {"all": "draft-released", "opened": "open-released"}.get(word, word).partition("-")
    start, end = PHASES.index(Phase(first)), PHASES.index(Phase(last or first))
    return tuple(PHASES[start : end + 1])


def model_rows() -> dict[str, dict[str, str]]:
    """The letters of each role in the admin, by the model's label."""
    return {label: dict(zip(ADMIN_ROLES, letters, strict=True)) for label, *letters in _tables()[1]}


def visible_rows(phase: Phase, role: str) -> dict[str, str]:
    """Whether the role sees "all", "some" or no ("-") rows in the phase, by the model's label."""
    head, *lines = _lines(ROWS_FILE)
    assert head == ["model", "phases", *ROLES]
    return {line[0]: line[2 + ROLES.index(role)] for line in lines if phase in _phases_of(line[1])}
