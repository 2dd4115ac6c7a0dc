"""Outcomes of mutants: stored in var/ between runs, and written to docs/mutants.md."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.mutants.mutant import Mutant
from tests.mutants.page import Row, read_rows, write_page
from tests.mutants.running import Outcome
from tests.mutants.targets import ROOT, Target

KEPT = ROOT / "var/mutants"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


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
        """Write docs/mutants.md; the rows of modules without records stay."""
        rows = {row.module: row for row in read_rows()}
        rows |= {module: self._row(module) for module in self.modules}
        write_page(rows.values(), sample=sample, seed=seed)

    def survivors(self, module: str) -> list[str]:
        """Names of the module's mutants that no test noticed, equivalent ones too."""
        outcomes = self.modules[module].outcomes if module in self.modules else {}
        return [name for name, outcome in outcomes.items() if outcome == "survived"]

    def _row(self, module: str) -> Row:
        tried, alive = self.modules[module], self.survivors(module)
        count = len(tried.outcomes)
        return Row(
            tried.subject,
            module,
            tried.count,
            count,
            count - len(alive),
            survivors=[self._entry(module, name) for name in alive if name not in self.reasons],
            equivalent=[
                f"{self._entry(module, name)}: {self.reasons[name]}" for name in alive if name in self.reasons
            ],
        )

    def _entry(self, module: str, name: str) -> str:
        before, _, after = name.removeprefix(f"{module}: ").partition(" -> ")
        return f"- `{module}:{self.modules[module].lines[name]}`: `` {before} `` becomes `` {after} ``"
