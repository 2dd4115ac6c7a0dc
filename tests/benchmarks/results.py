"""Stored results of benchmarks, and the tables of docs/performance.md that are made of them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.measuring import HEADER, Row

FOLDER = Path(__file__).with_name("results")
PAGE = Path(__file__).parents[2] / "docs/performance.md"
HEADING = "## Results of the benchmarks"


@dataclass(frozen=True)
class Result:
    """The rows of one benchmark and the circumstances under which they were measured.

    ``load`` is the load average over a minute, before and after.
    """

    name: str
    commit: str
    date: str
    machine: str
    load: tuple[float, float]
    is_full: bool
    rows: tuple[Row, ...]

    def save(self) -> None:
        """Replace the stored result of this benchmark."""
        FOLDER.mkdir(exist_ok=True)
        path = FOLDER / f"{self.name}.json"
        path.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: Path) -> Result:
        """Read a stored result."""
        stored = json.loads(path.read_text())
        before, after = stored["load"]
        return cls(**stored | {"load": (before, after), "rows": tuple(Row(**row) for row in stored["rows"])})

    def __str__(self) -> str:
        command = f"{self.name} --full" if self.is_full else self.name
        before, after = self.load
        where = f"commit {self.commit}, {self.date}, {self.machine}, load {before:.1f} to {after:.1f}"
        rows = "\n".join(map(str, self.rows))
        return f"`python -m tests.benchmarks {command}`: {where}.\n\n{HEADER}\n{rows}\n"


def tables() -> str:
    """The tables of all stored results, by name."""
    return "\n".join(str(Result.read(path)) for path in sorted(FOLDER.glob("*.json")))


def write_page() -> None:
    """Write the tables below their heading, which is the last of the page."""
    before, _, _ = PAGE.read_text().partition(f"{HEADING}\n")
    PAGE.write_text(f"{before}{HEADING}\n\n{tables()}")
