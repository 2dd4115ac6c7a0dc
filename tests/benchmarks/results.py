"""Stored results of benchmarks, and the tables of docs/performance.md that are made of them."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.measuring import HEADER, Row

HERE = Path(__file__).parent
FOLDER = HERE / "results"
ROOT = HERE.parents[1]
PAGE = ROOT / "docs/performance.md"
OF_THE_LIBRARY = {"check", "commands", "measures", "reading", "report"}
MOST_ROWS = 40  # of a table; of a longer one the page has only those that missed their target
HEADING = "## Results of the benchmarks"
# The first cell of a hand-written row that a stored result replaces: `report` or `report --full`.
REPLACED = re.compile(r"\| `(\w+)( --full)?` \|")


@dataclass(frozen=True)
class Result:
    """The rows of one benchmark and the circumstances under which they were measured.

    ``load`` is the load average over a minute, before and after. ``seconds`` is how long the benchmark ran,
    ``sources`` the hash of the code that it measured; None in results that were stored without them.
    """

    name: str
    commit: str
    date: str
    machine: str
    load: tuple[float, float]
    is_full: bool
    rows: tuple[Row, ...]
    seconds: int | None = None
    sources: str | None = None

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

    @property
    def is_stale(self) -> bool:
        """Whether the modules that the benchmark measured have changed since."""
        return self.sources != measured_sources(self.name)

    @property
    def command(self) -> str:
        """What runs the benchmark."""
        return f"python -m tests.benchmarks {self.name}{' --full' * self.is_full}"

    def __str__(self) -> str:
        before, after = self.load
        ran = "" if self.seconds is None else f"{self.seconds:,} s, "
        where = f"{ran}commit {self.commit}, {self.date}, {self.machine}, load {before:.1f} to {after:.1f}"
        shown = [row for row in self.rows if len(self.rows) <= MOST_ROWS or row.is_met is False]
        rows = "\n".join(row.line(is_stale=self.is_stale) for row in shown)
        head = f"### {self.name}\n\n{description(self.name)}"
        rest = len(self.rows) - len(shown)
        met = f"{'stale ' * self.is_stale}rows that met their targets"
        tail = f"\n\n{rest} {met} are in `tests/benchmarks/results`." if rest else ""
        return f"{head}\n\n`{self.command}`: {where}.\n\n{HEADER}\n{rows}{tail}"


def measured_sources(name: str) -> str:
    """A hash of the code that a benchmark measures: the library and, if it measures the site, the apps."""
    folders = ["trackside"] if name in OF_THE_LIBRARY else ["trackside", "evaluation", "assessment", "judges"]
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def description(name: str) -> str:
    """The first paragraph of a benchmark's docstring."""
    text = ast.get_docstring(ast.parse((HERE / f"bench_{name}.py").read_text())) or ""
    return text.partition("\n\n")[0].replace("\n", " ")


def stored() -> list[Result]:
    """All stored results, by name."""
    return [Result.read(path) for path in sorted(FOLDER.glob("*.json"))]


def tables() -> str:
    """How many targets are met, which are missed, and the table of each stored result."""
    found = stored()
    judged = [(result, row) for result in found for row in result.rows if row.is_met is not None]
    missed = [f"- {result.name}: {row.what}" for result, row in judged if not row.is_met]
    stale = sum(1 for result, row in judged if row.is_met and result.is_stale)
    head = f"{len(judged) - len(missed) - stale} of {len(judged)} targets are met"
    head += f", {stale} are stale: they were met by code that has changed since" if stale else ""
    head += ". Missed:" if missed else "."
    return "\n\n".join([head, *(["\n".join(missed)] if missed else []), *map(str, found)]) + "\n"


def is_replaced(line: str) -> bool:
    """Whether a hand-written row names a benchmark, in full or not, whose result is stored."""
    named = REPLACED.match(line)
    return named is not None and any(
        result.name == named[1] and result.is_full >= bool(named[2]) for result in stored()
    )


def write_page() -> None:
    """Write the tables below their heading, up to the next one, and drop the rows that they replace."""
    before, _, rest = PAGE.read_text().partition(f"{HEADING}\n")
    _, following, after = rest.partition("\n## ")
    left = "".join(line for line in after.splitlines(keepends=True) if not is_replaced(line))
    PAGE.write_text(f"{before}{HEADING}\n\n{tables()}{following}{left}")
