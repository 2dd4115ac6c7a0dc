"""What the ballots of an ensemble's members say about it: strata, stability, and what each member gave."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.core.arrays import Floats
from judges.core.composition import Composition, Member
from judges.core.ensembles import Rule, Stability, Stratum, combine, stability, stratum
from judges.core.inputs import Gap


class Answered(NamedTuple):
    """A pair of an ensemble's job as it ended; ``raw_answer`` is its members' ballots as JSON."""

    topic: str
    docno: str
    outcome: str
    raw_answer: str


@dataclass(frozen=True, slots=True)
class Share:
    """What a member gave: to how many pairs, and the SHA-256 of that as a qrels file.

    For a mean or a majority it is that of the member's own qrels, if they are published by the same mapping.
    """

    member: Member
    graded_count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EnsembleFacts:
    """Shares of all members; scored pairs by stratum, and stability by size of subset: none for a mean."""

    shares: tuple[Share, ...]
    strata: dict[Stratum, int]
    stability: tuple[Stability, ...]


def ensemble_facts(composition: Composition, answers: Sequence[Answered]) -> EnsembleFacts:
    """The facts of all pairs that have ballots; those that were held out count for the shares alone."""
    rows = sorted(each for each in answers if each.raw_answer)
    said = [json.loads(row.raw_answer) for row in rows]
    names = [member.judge for member in composition.members]
    ballots = np.array([[each[name] for name in names] for each in said], dtype=float)
    ballots = ballots.reshape(len(rows), len(names))
    shares = tuple(
        _share(member, rows, ballots[:, place]) for place, member in enumerate(composition.members)
    )
    if composition.rule is Rule.MEAN:
        return EnsembleFacts(shares, {}, ())
    is_seen = np.array([row.outcome != Gap.HELD_OUT for row in rows], dtype=bool)
    place = composition.tie_breaker_place
    return EnsembleFacts(
        shares,
        _strata(ballots[is_seen], composition.quorum, place),
        stability(ballots[is_seen], tie_breaker=place, scale=composition.scale),
    )


def _share(member: Member, rows: Sequence[Answered], ballots: Floats) -> Share:
    lines = [
        f"{row.topic} 0 {row.docno} {int(ballot)}\n"
        for row, ballot in zip(rows, ballots.tolist(), strict=True)
        if not np.isnan(ballot)
    ]
    return Share(member, len(lines), hashlib.sha256("".join(lines).encode()).hexdigest())


def _strata(ballots: Floats, quorum: int, tie_breaker: int) -> dict[Stratum, int]:
    """How many of the scored pairs are in each stratum."""
    combined = combine(ballots, is_mean=False, quorum=quorum, tie_breaker=tie_breaker)
    is_scored = ~np.isnan(combined.scores)
    agreeing, present = combined.agreeing[is_scored].tolist(), combined.present[is_scored].tolist()
    counts = Counter(stratum(*each) for each in zip(agreeing, present, strict=True))
    return {each: counts[each] for each in Stratum}
