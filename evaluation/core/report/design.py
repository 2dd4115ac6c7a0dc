"""What a report is computed from, besides runs: the sets of qrels, and what somebody decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluation.core.bootstrap import REPLICATES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.trec_files import Qrels

    Pair = tuple[str, str]  # topic, docno

SEED = 20240728


@dataclass(frozen=True)
class GradedSet:
    """One set of qrels: its grades, what is known of it, and a model's raw scores.

    ``facts`` are name, version, kind ("human", "second", "model"), sha256, pair_count, graded_count and
    provenance (plain JSON; mapping, backbone, team, outcomes and susceptibility are read from it).
    """

    facts: Mapping[str, Any]
    qrels: Qrels
    raw_scores: Mapping[Pair, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What tables call it."""
        return str(self.facts["name"])

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Where the grades came from."""
        found: Mapping[str, Any] = self.facts.get("provenance") or {}
        return found


@dataclass(frozen=True)
class Design:
    """What somebody decided: scale, level, measures, groups of topics, seed and number of resamples.

    ``strata`` gives each division of the topics by name, such as {"page": {topic: "seen"}}. ``chosen`` says
    in words which of the runs and topics these are, and is empty where they are all. ``left_out`` are
    measures that were asked for and that no report can compare runs by.
    """

    scale: tuple[int, ...]
    level: int
    measures: tuple[str, ...]
    strata: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seed: int = SEED
    replicates: int = REPLICATES
    alpha: float = 0.05
    chosen: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """What was chosen and what left out, in sentences that follow others; empty where nothing was."""
        chosen = f" Chosen: {self.chosen}." if self.chosen else ""
        if not self.left_out:
            return chosen
        return f"{chosen} Left out, as their means cannot be compared: {', '.join(self.left_out)}."
