"""Inputs of a report: runs, sets of qrels, chosen runs, topics and measures, and the design."""

import hashlib
import json
from collections.abc import (
    Iterable,
    Mapping,  # at run time, for from_plain
)
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Self

from trackside.errors import InputError
from trackside.files import Qrels
from trackside.files.pair_strata import PairStrata
from trackside.findings.provenance import JudgeProvenance
from trackside.findings.verdicts import Margins
from trackside.measuring import parse_measure
from trackside.measuring.family import Cut, MeasureFamily, Summary
from trackside.measuring.names import all_families
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


@dataclass(frozen=True, slots=True)
class SeenTogether:
    """Pairs that people and a judge graded, by what each was shown.

    ``known`` counts those where both are known, the next three are among them: the items are ``equal``,
    people saw a part of the item, the judge saw a part.
    """

    pairs: int
    known: int
    equal: int
    people_part: int
    judge_part: int


@dataclass(frozen=True)
class GradedSet:
    """One set of qrels: its facts, its grades, a model's raw scores, and provenance as plain JSON.

    ``seen`` compares what a model was shown with what people were; None for people and for files.
    """

    facts: SetFacts
    qrels: Qrels
    raw_scores: Mapping[Pair, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    seen: SeenTogether | None = None

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

    ``strata`` gives each division of the topics by name, such as {"page": {topic: "seen"}}, ``pair_strata``
    each division of the pairs, such as {"difficulty": {topic: {docno: "hard"}}}. ``chosen`` describes in
    words a selection of runs and topics, and is empty for all. ``left_out`` lists requested measures that a
    report cannot compare runs by. ``items`` is the noun of what was graded, such as "images". ``margins`` are
    the thresholds of the words. ``third`` are a third person's grades, by topic and docno, of results that
    decide whether an excess is a favour: nothing else reads them.
    """

    scale: tuple[int, ...]
    level: int
    measures: tuple[str, ...]
    strata: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pair_strata: Mapping[str, PairStrata] = field(default_factory=dict)
    seed: int = SEED
    replicates: int = REPLICATES
    chosen: str = ""
    left_out: tuple[str, ...] = ()
    items: str = "results"
    margins: Margins = field(default_factory=Margins)
    third: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def bounds(self) -> str:
        """Sentences on the chosen and left-out parts, to append to a text; empty if neither applies."""
        chosen = f" Chosen: {self.chosen}." if self.chosen else ""
        if not self.left_out:
            return chosen
        return f"{chosen} Left out, as their means cannot be compared: {', '.join(self.left_out)}."


@dataclass(frozen=True, slots=True)
class Choice:
    """Selected tags and topics in byte order; an empty tuple selects all."""

    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @classmethod
    def among(
        cls, tags: Iterable[str], topics: Iterable[str], *, all_tags: Iterable[str], all_topics: Iterable[str]
    ) -> Self:
        """Select the wanted tags and topics that exist; selecting all gives an empty tuple."""
        return cls(_some(tags, all_tags), _some(topics, all_topics))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Restore a choice from the output of ``to_json``."""
        return cls(tuple(stored.get("tags", ())), tuple(stored.get("topics", ())))

    @property
    def is_all(self) -> bool:
        """Whether all runs and topics are selected."""
        return not (self.tags or self.topics)

    def to_json(self) -> dict[str, Any]:
        """Non-empty selections as lists by name; an empty dict selects all."""
        return {name: list(names) for name, names in asdict(self).items() if names}

    @property
    def sha256(self) -> str:
        """SHA-256 of the JSON; equal choices have equal hashes."""
        return hashlib.sha256(json.dumps(self.to_json()).encode()).hexdigest()

    def words(self, *, run_count: int, topic_count: int) -> str:
        """Describe the selection, such as "8 of 16 runs, 25 of 74 topics"; empty for all."""
        parts = [(self.tags, run_count, "runs"), (self.topics, topic_count, "topics")]
        return ", ".join(f"{len(names):,} of {total:,} {name}" for names, total, name in parts if names)


def _some(names: Iterable[str], everything: Iterable[str]) -> tuple[str, ...]:
    existing = set(everything)
    selected = existing & set(names)
    return () if selected == existing else tuple(sorted(selected, key=str.encode))


def comparable(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of measures that a report can compare runs by. Raises UnknownMeasure."""
    # A judged-only value would require removing the unjudged results again under each set of qrels.
    return tuple(
        name
        for name in names
        if _is_fit((measure := parse_measure(name)).family)
        and not measure.is_judged_only
        and all(gain >= 0 for _, gain in measure.gains)
    )


def refuse_incomparable(names: Iterable[str]) -> None:
    """Raise InputError, which lists the comparable families, or UnknownMeasure."""
    requested = tuple(names)
    accepted = comparable(requested)
    if refused := [name for name in requested if name not in accepted]:
        raise not_comparable(refused[0])


def not_comparable(name: str) -> InputError:
    """Return the error, which lists the measures to choose from."""
    cutoffs = {Cut.REQUIRED: "@10", Cut.FRACTION: "@0.5"}
    choices = ", ".join(
        family.name + cutoffs.get(family.cut, "") for family in all_families() if _is_fit(family)
    )
    return InputError(
        f"{name}: a report compares means over topics that are at least 0 and higher for better runs, over "
        f"all results. Choose one of {choices}."
    )


def _is_fit(family: MeasureFamily) -> bool:
    """Relative Delta divides by the sum of two means; bootstrap and tests over topics support means only."""
    return (
        family.summary is Summary.MEAN
        and family.is_higher_better
        and not family.is_sampled
        and not family.can_be_negative
    )
