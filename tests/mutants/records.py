"""Outcomes of mutants: stored in var/ between runs, and written to docs/mutants.md."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tomllib
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants.targets import ROOT

if TYPE_CHECKING:
    from tests.mutants.making import Mutant
    from tests.mutants.running import Outcome
    from tests.mutants.targets import Target

KEPT = ROOT / "var/mutants"
PAGE = ROOT / "docs/mutants.md"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
HEAD = """\
# Mutants

`make mutants SAMPLE={sample} SEED={seed}` wrote this page after commit {commit}. It changes one thing at a
time in the modules whose faults cost most, and runs the tests that import the module. A mutant is killed if a
test fails or takes five times as long. An equivalent mutant does what the module does; the reasons are in
`tests/mutants/equivalent.toml`.

**{killed} of {tried} mutants were killed: {share:.1f} %.** {equivalent} of the other {alive} are equivalent.
Without them it is {share_of_rest:.1f} %.

| subject | module | mutants | tried | killed | equivalent | survived |
| --- | --- | --: | --: | --: | --: | --: |
"""


@dataclass
class Tried:
    """The mutants of one module; ``outcomes`` and ``lines`` by name, ``source`` is the hash of its text."""

    subject: str
    count: int = 0
    source: str = ""
    outcomes: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


@dataclass
class Records:
    """The outcomes by module, and why mutants are equivalent by name."""

    modules: dict[str, Tried]
    reasons: dict[str, str]

    @classmethod
    def read(cls) -> Records:
        """Read what earlier runs found."""
        found = {path.stem: json.loads(path.read_text()) for path in KEPT.glob("*.json")}
        rows = tomllib.loads(EQUIVALENT.read_text()).get("mutant", [])
        reasons = {f"{row['module']}: {row['before']} -> {row['after']}": row["why"] for row in rows}
        return cls({module: Tried(**tried) for module, tried in found.items()}, reasons)

    def has_survived(self, mutant: Mutant) -> bool:
        """Whether no test failed when the mutant was last tried."""
        return mutant.name in self.survivors(mutant.module)

    def start(self, target: Target, count: int) -> None:
        """Begin a module; if it has changed since it was last tried, discard its outcomes."""
        source = hashlib.sha256(target.path.read_bytes()).hexdigest()
        known = self.modules.get(target.module)
        if known is None or known.source != source:
            self.modules[target.module] = Tried(target.subject, count, source)

    def add(self, mutant: Mutant, outcome: Outcome) -> None:
        """Store the outcome of a mutant."""
        tried = self.modules[mutant.module]
        tried.outcomes[mutant.name] = outcome.value
        tried.lines[mutant.name] = mutant.line

    def save(self, target: Target) -> None:
        """Save the outcomes of a module for the next run."""
        KEPT.mkdir(parents=True, exist_ok=True)
        kept = json.dumps(asdict(self.modules[target.module]), indent=1)
        (KEPT / f"{target.module}.json").write_text(kept)

    def write_page(self, *, sample: int | None, seed: int) -> None:
        """Write docs/mutants.md: counts by module, then the survivors."""
        modules = sorted(self.modules, key=lambda module: (self.modules[module].subject, module))
        total: Counter[str] = sum((self._counts(module) for module in modules), Counter())
        alive = total["alive"]
        killed = total["tried"] - alive
        head = HEAD.format(
            sample=sample or "",
            seed=seed,
            commit=_commit(),
            killed=killed,
            tried=total["tried"],
            share=100 * killed / max(1, total["tried"]),
            alive=alive,
            equivalent=total["equivalent"],
            share_of_rest=100 * killed / max(1, total["tried"] - total["equivalent"]),
        )
        rows = [self._row(module) for module in modules]
        PAGE.write_text(head + "\n".join(rows) + "\n" + self._list_survivors(modules))

    def survivors(self, module: str) -> list[str]:
        """Names of the module's mutants that no test noticed, equivalent ones too."""
        outcomes = self.modules[module].outcomes if module in self.modules else {}
        return [name for name, outcome in outcomes.items() if outcome == "survived"]

    def _counts(self, module: str) -> Counter[str]:
        alive = self.survivors(module)
        equivalent = sum(name in self.reasons for name in alive)
        return Counter(tried=len(self.modules[module].outcomes), alive=len(alive), equivalent=equivalent)

    def _row(self, module: str) -> str:
        tried, counts = self.modules[module], self._counts(module)
        killed, survived = counts["tried"] - counts["alive"], counts["alive"] - counts["equivalent"]
        cells = [tried.count, counts["tried"], killed, counts["equivalent"], survived]
        return f"| {tried.subject} | `{module}` | {' | '.join(str(cell) for cell in cells)} |"

    def _list_survivors(self, modules: list[str]) -> str:
        names = [(module, name) for module in modules for name in self.survivors(module)]
        survived = [(module, name) for module, name in names if name not in self.reasons]
        equivalent = [(module, name) for module, name in names if name in self.reasons]
        lines = ["", "## Survivors", ""]
        lines += [self._entry(module, name) for module, name in survived] or ["None."]
        lines += ["", "## Equivalent mutants", ""]
        lines += [f"{self._entry(module, name)}: {self.reasons[name]}" for module, name in equivalent] or [
            "None."
        ]
        return "\n".join(lines) + "\n"

    def _entry(self, module: str, name: str) -> str:
        before, _, after = name.removeprefix(f"{module}: ").partition(" -> ")
        return f"- `{module}:{self.modules[module].lines[name]}`: `` {before} `` becomes `` {after} ``"


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return found.stdout.strip()
