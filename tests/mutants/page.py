"""The page docs/mutants.md: a row a module, then the mutants that no test noticed."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.mutants.targets import ROOT

PAGE = ROOT / "docs/mutants.md"
HEAD = """\
# Mutants

`make mutants` writes this page, last with `SAMPLE={sample} SEED={seed}` after commit {commit}; the row of
a module stays until the module is tried again. It changes one thing at a time in the modules whose faults
cost most, and runs the tests that import the module. A mutant is killed if a test fails or takes five times
as long. An equivalent mutant does what the module does; the reasons are in `tests/mutants/equivalent.toml`.

**{killed} of {tried} mutants were killed: {share:.1f} %.** {equivalent} of the other {alive} are equivalent.
Without them it is {share_of_rest:.1f} %.

| subject | module | mutants | tried | killed | equivalent | survived |
| --- | --- | --: | --: | --: | --: | --: |
"""
SURVIVORS, EQUIVALENT = "## Survivors", "## Equivalent mutants"
ROW = re.compile(r"\| (\w+) \| `([\w.]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|")
ENTRY = re.compile(r"- `([\w.]+):\d+`: ")


@dataclass(frozen=True)
class Row:
    """The counts of a module; ``survivors`` and ``equivalent`` are the lines of the lists below the table."""

    subject: str
    module: str
    count: int
    tried: int
    killed: int
    survivors: Sequence[str]
    equivalent: Sequence[str]

    def __str__(self) -> str:
        counts = [self.count, self.tried, self.killed, len(self.equivalent), len(self.survivors)]
        return f"| {self.subject} | `{self.module}` | {' | '.join(map(str, counts))} |"


def read_rows() -> list[Row]:
    """Return the rows of the page."""
    lines = PAGE.read_text().splitlines() if PAGE.exists() else []
    lists: dict[tuple[str, str], list[str]] = defaultdict(list)
    heading = ""
    for line in lines:
        heading = line if line.startswith("#") else heading
        if entry := ENTRY.match(line):
            lists[heading, entry[1]].append(line)
    return [
        Row(
            subject=row[1],
            module=row[2],
            count=int(row[3]),
            tried=int(row[4]),
            killed=int(row[5]),
            survivors=lists[SURVIVORS, row[2]],
            equivalent=lists[EQUIVALENT, row[2]],
        )
        for row in map(ROW.fullmatch, lines)
        if row
    ]


def write_page(rows: Iterable[Row], *, sample: int | None, seed: int) -> None:
    """Write the rows, sorted by subject and module, their totals and lists."""
    ordered = sorted(rows, key=lambda row: (row.subject, row.module))
    tried, killed = sum(row.tried for row in ordered), sum(row.killed for row in ordered)
    survivors = [line for row in ordered for line in row.survivors]
    equivalent = [line for row in ordered for line in row.equivalent]
    head = HEAD.format(
        sample=sample or "",
        seed=seed,
        commit=_commit(),
        killed=killed,
        tried=tried,
        share=100 * killed / max(1, tried),
        alive=tried - killed,
        equivalent=len(equivalent),
        share_of_rest=100 * killed / max(1, tried - len(equivalent)),
    )
    lists = ["", SURVIVORS, "", *(survivors or ["None."]), "", EQUIVALENT, "", *(equivalent or ["None."])]
    PAGE.write_text(head + "\n".join([*map(str, ordered), *lists]) + "\n")


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return found.stdout.strip()
