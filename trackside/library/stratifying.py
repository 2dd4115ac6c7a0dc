"""Public functions: qrels by stratum of pairs, and how far two sets of qrels agree within each stratum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from trackside.errors import InputError
from trackside.files import Qrels
from trackside.files.pair_strata import (
    Pair,
    PairStrata,
    Unmatched,
    graded_pairs,
    qrels_by_stratum,
    read_pair_strata,
)
from trackside.findings.strata import StratumFinding, scores_of, stratum_finding
from trackside.library.inputs import QrelsInput, read_qrels
from trackside.measuring.evaluation import harmonic_mean
from trackside.reporting.tables import Column
from trackside.statistics.estimate import Estimate
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown

StrataInput = str | Path | Mapping[Any, Any]
COEFFICIENTS = "kappa", "same_grade", "auprc"


@dataclass(frozen=True, repr=False)
class StrataAgreement(Shown):
    """A judge beside people on the pairs that both graded, by name of the stratum.

    ``left_out`` has a sentence on pairs of the strata that not both graded, and on graded pairs without a
    stratum.
    """

    strata: Mapping[str, StratumFinding]
    left_out: tuple[str, ...]

    @property
    def harmonic_accuracy(self) -> Estimate:
        """Harmonic mean over strata of the share of equal grades, as OVEN's over seen and unseen entities."""
        return harmonic_mean([found.same_grade.value for found in self.strata.values()])

    def _shown(self) -> Outline:
        rows = (
            (name, found.pair_count, *(Column("", ".4f").text(getattr(found, each)) for each in COEFFICIENTS))
            for name, found in self.strata.items()
        )
        line = ", ".join(f"{name} {counted(found.pair_count, 'pair')}" for name, found in self.strata.items())
        return Outline(line, ("stratum", "pairs", *COEFFICIENTS), rows)

    def to_frame(self) -> pl.DataFrame:
        """One row per stratum and coefficient: their names, topics, pairs, value, low, high and reasons."""
        rows = [
            (name, each, found.topic_count, found.pair_count, number.value, number.low, number.high,
             number.reason, number.missing)
            for name, found in self.strata.items()
            for each, number in ((each, getattr(found, each)) for each in COEFFICIENTS)
        ]  # fmt: skip
        columns = {
            "stratum": pl.String, "coefficient": pl.String, "topics": pl.Int64, "pairs": pl.Int64,
            "value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "reason": pl.String,
            "no_interval": pl.String,
        }  # fmt: skip
        return pl.DataFrame(rows, schema=columns, orient="row")


def split_qrels(qrels: QrelsInput, strata: StrataInput) -> dict[str, Qrels]:
    """The qrels of each stratum of pairs, to evaluate runs on it; other pairs are ungraded there.

    ``strata`` is ``{topic: {docno: stratum}}``, or a file of lines of topic, docno and stratum. Strata
    without a pair of the qrels are left out. Raises InputError.

    >>> parts = split_qrels({"1": {"a": 1, "b": 0}}, {"1": {"a": "hard", "b": "easy"}})
    >>> {name: part.to_dict() for name, part in parts.items()}
    {'easy': {'1': {'b': 0}}, 'hard': {'1': {'a': 1}}}
    """
    return qrels_by_stratum(read_qrels(qrels), strata_of_pairs(strata))


def agreement_by_stratum(
    people: QrelsInput,
    judge: QrelsInput,
    strata: StrataInput,
    *,
    scores: Mapping[Pair, float] | None = None,
    scale: Sequence[int] | None = None,
    level: int = 1,
) -> StrataAgreement:
    """Return kappa, the share of equal grades and AUPRC of a judge in each stratum of pairs.

    ``strata`` are as in `split_qrels`, ``scale`` as in `agreement`. AUPRC is of people's grades of at least
    ``level``, by ``scores`` of (topic, docno) if each pair that both graded has one, else by the judge's
    grades. Numbers have 95 % intervals over new topics from ten topics and 30 pairs. Raises InputError.

    >>> people, clip = {"1": {"a": 0, "b": 1, "c": 2}}, {"1": {"a": 0, "b": 1, "c": 1}}
    >>> found = agreement_by_stratum(people, clip, {"1": {"a": "easy", "b": "easy", "c": "hard"}})
    >>> found.strata["easy"].pair_count, found.strata["easy"].kappa.value, found.strata["hard"].kappa.value
    (2, 1.0, None)
    """
    placed = strata_of_pairs(strata)
    sides = [graded_pairs(read_qrels(qrels)) for qrels in (people, judge)]
    pairs = sorted(sides[0].keys() & sides[1].keys())
    grades = np.array([[side[pair] for pair in pairs] for side in sides], np.int64)
    given = scores or {}
    heights = scores_of(np.array([given.get(pair, np.nan) for pair in pairs], np.float64), grades[1])
    topics = np.unique([topic for topic, _ in pairs], return_inverse=True)[1]
    occurring = {grade for side in sides for grade in side.values()}
    steps = tuple(sorted(set(scale) if scale is not None else occurring))
    members: dict[str, list[int]] = {}
    for row, (topic, docno) in enumerate(pairs):
        if docno in placed.get(topic, {}):
            members.setdefault(placed[topic][docno], []).append(row)
    if not members:
        raise InputError("no pair that both graded has a stratum. Spell topics and docnos alike in all.")
    found = {
        name: stratum_finding(
            grades[0, rows], grades[1, rows], heights[rows], topics[rows], scale=steps, level=level
        )
        for name, rows in sorted(members.items())
    }
    return StrataAgreement(found, tuple(Unmatched.of(pairs, placed).lines("strata")))


def strata_of_pairs(strata: StrataInput) -> PairStrata:
    """Read a file of strata, or check a mapping. Raises InputError."""
    if isinstance(strata, str | Path):
        return read_pair_strata(strata)
    if not isinstance(strata, Mapping) or not all(isinstance(own, Mapping) for own in strata.values()):
        raise InputError(f"strata {strata!r}: give {{topic: {{docno: stratum}}}}, or the path of a file.")
    return {
        str(topic): {str(docno): str(name) for docno, name in own.items()} for topic, own in strata.items()
    }
