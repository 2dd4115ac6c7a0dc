"""The state of a section: computed, computed with a caution, or not shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from evaluation.core.report.tables import Conclusion, ConclusionCode

if TYPE_CHECKING:
    from evaluation.core.report.tables import Section

DOUBTS = (ConclusionCode.CAUTION, ConclusionCode.CANNOT_TELL, ConclusionCode.UNDEFINED)


class State(StrEnum):
    """Whether a section has numbers, and whether all of them can be relied on."""

    COMPUTED = "computed"
    CAUTION = "with a caution"
    NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class SectionState:
    """A section's state and its reason; the reason of a computed section is empty."""

    state: State
    reason: str = ""

    @property
    def words(self) -> str:
        """The state and its reason."""
        return f"{self.state}: {self.reason}" if self.reason else str(self.state)


def section_state(section: Section, *, measure: str | None, family: str | None) -> SectionState:
    """Return the state of a section for a measure and a family.

    A section without rows and figures is not shown; its sentence says why. Verdicts that cannot be told, are
    undefined or warn are a caution.
    """
    rows = [row for table in section.tables for row in table.where(measure=measure, family=family).rows]
    if not rows and not section.figures:
        reason = section.says[0] if section.says else "Nothing is known of it for this choice."
        return SectionState(State.NOT_SHOWN, reason)
    verdicts = [cell for row in rows for cell in row if isinstance(cell, Conclusion)]
    doubts = [verdict for verdict in verdicts if verdict.outcome in DOUBTS]
    if doubts:
        of = f"{len(doubts):,} of {len(verdicts):,} verdicts"
        return SectionState(State.CAUTION, f"{of} cannot be told, are undefined or warn.")
    return SectionState(State.COMPUTED)
