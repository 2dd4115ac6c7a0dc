"""Compositions of an ensemble."""

from __future__ import annotations

from judges.core.ensembles.ballots import CombinationRule, Threshold
from judges.core.ensembles.composition import (
    Calibration,
    Composition,
    EnsembleMember,
    Grading,
)

GRADING = Grading(1, "paper-2024", 1, "first", (0.25, 0.5))

GRADED = tuple(EnsembleMember(name, name * 64, GRADING) for name in "abc")

VOTING = tuple(EnsembleMember(name, name * 64, Threshold(0.5, 0.8, 10, 4)) for name in "abc")

CALIBRATION = Calibration("people (version 1)", "f" * 64, 3, 2, ("T1", "T9"))

MAJORITY = Composition(CombinationRule.MAJORITY, GRADED, 2, "b")

VOTES = Composition(CombinationRule.VOTES, VOTING, 2, "c", CALIBRATION)
