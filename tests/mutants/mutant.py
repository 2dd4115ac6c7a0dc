"""A mutant: the source of a module with one change."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    path: str
    line: int
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        """How the table of equivalent mutants names it."""
        return f"{self.module}: {self.before} -> {self.after}"
