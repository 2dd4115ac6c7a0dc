"""Statistics of an ensemble's ballots: agreement, and each member's share."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trackside.arrays import Floats
from trackside.judging.ensembles.ballots import CombinationRule, MemberAgreement, agreement, combine
from trackside.judging.ensembles.composition import Composition, EnsembleMember
from trackside.judging.inputs import Gap


class FinishedPair(NamedTuple):
    """A finished pair of an ensemble's job; ``raw_answer`` is its members' ballots as JSON."""

    topic: str
    docno: str
    outcome: str
    raw_answer: str


@dataclass(frozen=True, slots=True)
class MemberBallots:
    """A member's ballots: the number of graded pairs, and the SHA-256 of the ballots as a qrels file.

    The hash equals that of the member's own qrels, if published by the same mapping.
    """

    member: EnsembleMember
    graded_count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EnsembleFacts:
    """Shares of all members, and scored pairs by agreement: empty for a mean."""

    shares: tuple[MemberBallots, ...]
    agreement: dict[MemberAgreement, int]


def ensemble_facts(composition: Composition, answers: Sequence[FinishedPair]) -> EnsembleFacts:
    """Compute the facts of all pairs with ballots; held-out pairs count for the shares only."""
    rows = sorted(row for row in answers if row.raw_answer)
    stored = [json.loads(row.raw_answer) for row in rows]
    names = [member.judge for member in composition.members]
    ballots = np.array([[grades[name] for name in names] for grades in stored], dtype=float)
    ballots = ballots.reshape(len(rows), len(names))
    shares = tuple(
        _share(member, rows, ballots[:, column]) for column, member in enumerate(composition.members)
    )
    if composition.rule == CombinationRule.MEAN:
        return EnsembleFacts(shares, {})
    is_seen = np.array([row.outcome != Gap.HELD_OUT for row in rows], dtype=bool)
    return EnsembleFacts(
        shares, _agreement(ballots[is_seen], composition.quorum, composition.tie_breaker_place)
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
    counts = Counter(agreement(*pair) for pair in zip(agreeing, present, strict=True))
    return {kind: counts[kind] for kind in MemberAgreement}
