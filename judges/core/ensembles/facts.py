"""Statistics of an ensemble's ballots: agreement, difficulty, stability, and each member's share."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.core.arrays import Floats
from judges.core.ensembles.ballots import (
    CombinationRule,
    Difficulty,
    MemberAgreement,
    Stability,
    agreement,
    combine,
    difficulties,
    stability,
)
from judges.core.ensembles.composition import Composition, EnsembleMember
from judges.core.inputs import Gap


class FinishedPair(NamedTuple):
    """A finished pair of an ensemble's job; ``raw_answer`` is its members' ballots as JSON."""

    topic: str
    docno: str
    outcome: str
    raw_answer: str


@dataclass(frozen=True, slots=True)
class MemberBallots:
    """A member's ballots: the number of graded pairs, and the SHA-256 of the ballots as a qrels file.

    For a mean or a majority the hash equals that of the member's own qrels, if published by the same mapping.
    """

    member: EnsembleMember
    graded_count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EnsembleFacts:
    """Shares of all members; scored pairs by agreement, stability by size of subset: both empty for a mean.

    ``difficulty`` counts the pairs that people graded and a quorum voted on, by how many members are right;
    empty for a mean, and if people graded no pair.
    """

    shares: tuple[MemberBallots, ...]
    agreement: dict[MemberAgreement, int]
    difficulty: dict[Difficulty, int]
    stability: tuple[Stability, ...]


def ensemble_facts(
    composition: Composition, answers: Sequence[FinishedPair], people: Mapping[tuple[str, str], int]
) -> EnsembleFacts:
    """Compute the facts of all pairs with ballots; held-out pairs count for the shares only.

    ``people`` are people's grades by topic and docno, where they exist.
    """
    rows = sorted(each for each in answers if each.raw_answer)
    stored = [json.loads(row.raw_answer) for row in rows]
    names = [member.judge for member in composition.members]
    ballots = np.array([[each[name] for name in names] for each in stored], dtype=float)
    ballots = ballots.reshape(len(rows), len(names))
    shares = tuple(
        _share(member, rows, ballots[:, place]) for place, member in enumerate(composition.members)
    )
    if composition.rule is CombinationRule.MEAN:
        return EnsembleFacts(shares, {}, {}, ())
    is_seen = np.array([row.outcome != Gap.HELD_OUT for row in rows], dtype=bool)
    seen = [row for row in rows if row.outcome != Gap.HELD_OUT]
    place = composition.tie_breaker_place
    return EnsembleFacts(
        shares,
        _agreement(ballots[is_seen], composition.quorum, place),
        _difficulty(ballots[is_seen], _right_ballots(composition, seen, people), composition.quorum),
        stability(ballots[is_seen], tie_breaker=place, scale=composition.scale),
    )


def _share(member: EnsembleMember, rows: Sequence[FinishedPair], ballots: Floats) -> MemberBallots:
    lines = [
        f"{row.topic} 0 {row.docno} {int(ballot)}\n"
        for row, ballot in zip(rows, ballots.tolist(), strict=True)
        if not np.isnan(ballot)
    ]
    return MemberBallots(member, len(lines), hashlib.sha256("".join(lines).encode()).hexdigest())


def _agreement(ballots: Floats, quorum: int, tie_breaker: int) -> dict[MemberAgreement, int]:
    """Count the scored pairs by agreement."""
    combined = combine(ballots, is_mean=False, quorum=quorum, tie_breaker=tie_breaker)
    is_scored = ~np.isnan(combined.scores)
    agreeing, present = combined.agreeing[is_scored].tolist(), combined.present[is_scored].tolist()
    counts = Counter(agreement(*each) for each in zip(agreeing, present, strict=True))
    return {each: counts[each] for each in MemberAgreement}


def _right_ballots(
    composition: Composition, rows: Sequence[FinishedPair], people: Mapping[tuple[str, str], int]
) -> Floats:
    """Return the correct ballot of each pair by people's grades, NaN where there is no grade."""
    grades = [people.get((row.topic, row.docno)) for row in rows]
    right = np.array([np.nan if grade is None else grade for grade in grades], dtype=float)
    if composition.calibration is None:
        return right
    level = composition.calibration.level
    votes: Floats = np.where(np.isnan(right), np.nan, np.where(right >= level, level, 0.0))
    return votes


def _difficulty(ballots: Floats, right: Floats, quorum: int) -> dict[Difficulty, int]:
    counts = Counter(each for each in difficulties(ballots, right, quorum=quorum) if each)
    return {each: counts[each] for each in Difficulty} if counts else {}
