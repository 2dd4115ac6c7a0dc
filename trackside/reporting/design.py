"""Inputs of a report: the runs' descriptions, the sets of qrels, and the design of the analysis."""

from collections.abc import Mapping  # at run time, for from_plain
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from trackside.files import Qrels
from trackside.findings.provenance import JudgeProvenance
from trackside.findings.verdicts import Margins
from trackside.text.shown import Shown
from trackside.uncertainty.ranks import REPLICATES

Pair = tuple[str, str]  # topic, docno

SEED = 20240728


@dataclass(frozen=True, repr=False)
class ReportRun(Shown):
    """The report's description of a run.

    ``backbone`` is the model that the run is built on, ``type`` is how it was made, such as automatic; both
    are empty if unknown. ``pool_depth`` is how many ranks were pooled: 0 for none, None if unknown.
    """

    tag: str
    team: str
    families: tuple[str, ...]
    backbone: str = ""
    type: str = ""
    pool_depth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetFacts(Shown):
    """One set of qrels: "human", "second" or "model"; ``joined`` numbers the task's models from 1."""

    name: str
    kind: str
    sha256: str
    version: int = 1
    pair_count: int
    graded_count: int
    joined: int | None = None

    @classmethod
    def of(cls, qrels: Qrels, kind: str) -> Self:
        """The facts of qrels from a file."""
        counts = {"pair_count": qrels.pair_count, "graded_count": int((qrels.grades >= 0).sum())}
        return cls(name=qrels.name, kind=kind, sha256=qrels.sha256, **counts)


@dataclass(frozen=True)
class GradedSet:
    """One set of qrels: its facts, its grades, a model's raw scores, and provenance as plain JSON."""

    facts: SetFacts
    qrels: Qrels
    raw_scores: Mapping[Pair, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the set in tables."""
        return self.facts.name

    @cached_property
    def judge_provenance(self) -> JudgeProvenance:
        """Source of a model's grades. Raises PlainUnfit."""
        return JudgeProvenance.from_json(self.provenance)


@dataclass(frozen=True)
class Design:
    """Options of the analysis: scale, level, measures, groups of topics, seed and number of resamples.

    ``strata`` gives each division of the topics by name, such as {"page": {topic: "seen"}}. ``chosen``
    describes in words a selection of runs and topics, and is empty for all. ``left_out`` lists requested
    measures that a report cannot compare runs by. ``margins`` are the thresholds of the words.
    """

    scale: tuple[int, ...]
    level: int
    measures: tuple[str, ...]
    strata: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seed: int = SEED
    replicates: int = REPLICATES
    chosen: str = ""
    left_out: tuple[str, ...] = ()
    margins: Margins = field(default_factory=Margins)

    @property
    def bounds(self) -> str:
        """Sentences on the chosen and left-out parts, to append to a text; empty if neither applies."""
        chosen = f" Chosen: {self.chosen}." if self.chosen else ""
        if not self.left_out:
            return chosen
        return f"{chosen} Left out, as their means cannot be compared: {', '.join(self.left_out)}."
