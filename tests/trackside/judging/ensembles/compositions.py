"""Compositions of an ensemble."""

from trackside.judging.ensembles.ballots import CombinationRule
from trackside.judging.ensembles.composition import Composition, EnsembleMember

BY = {"id": 1, "rule": "paper-2024", "version": 1, "pool": "first", "thresholds": [0.25, 0.5]}

GRADED = tuple(EnsembleMember(name, name * 64, BY) for name in "abc")

MAJORITY = Composition(CombinationRule.MAJORITY, GRADED, 2, "b")

# As older releases stored an ensemble of thresholds fitted on people's grades.
VOTES = Composition(
    "votes",
    tuple(
        EnsembleMember(name, name * 64, {"score": 0.5, "f1": 0.8, "pair_count": 10, "relevant_count": 4})
        for name in "abc"
    ),
    2,
    "c",
    {"qrels": "people (version 1)", "sha256": "f" * 64, "task": 3, "level": 2, "topics": ["T1", "T9"]},
)
