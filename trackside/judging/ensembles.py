"""Ensembles: their composition, the score of each pair by the members' ballots, and their agreement.

Ballots are an array of pairs by members: each member's grade, NaN where it has none.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.judging.inputs import Gap

MOST_MEMBERS = 8


class CombinationRule(StrEnum):
    """How the members' ballots become one score."""

    MEAN = "mean"
    MAJORITY = "majority"


class MemberAgreement(StrEnum):
    """How many members agree with the most common grade, right or wrong."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"  # between the two
    SPLIT = "split"  # at most the smallest possible majority, or half of them


@dataclass(frozen=True, slots=True)
class Combined:
    """An ensemble's score of each pair, NaN where ``gaps`` has the reason.

    ``means`` is the mean of the ballots, NaN without ballots; ``agreeing`` counts the members that gave the
    most common grade, ``present`` the members that gave a grade.
    """

    scores: Floats
    gaps: tuple[Gap | None, ...]
    means: Floats
    agreeing: Ints
    present: Ints


def combine(ballots: Floats, *, is_mean: bool, quorum: int, tie_breaker: int) -> Combined:
    """Return one score per pair: the mean of its ballots, or the most common grade.

    If several grades are most common, the tie-breaking member's grade decides if it is one of them; else the
    pair is TIED. TOO_FEW_MEMBERS if fewer than ``quorum`` members have a grade.
    """
    has_ballot = ~np.isnan(ballots)
    present: Ints = has_ballot.sum(axis=1)
    sums = np.where(has_ballot, ballots, 0.0).sum(axis=1)
    means = np.divide(sums, present, out=np.full(len(ballots), np.nan), where=present > 0)
    most_common, agreeing = _most_common(ballots, tie_breaker)
    scores = np.where(present < quorum, np.nan, means if is_mean else most_common)
    gaps = tuple(
        None if not np.isnan(score) else Gap.TOO_FEW_MEMBERS if count < quorum else Gap.TIED
        for score, count in zip(scores, present, strict=True)
    )
    return Combined(scores, gaps, means, agreeing, present)


def _most_common(ballots: Floats, tie_breaker: int) -> tuple[Floats, Ints]:
    """Return the grade with the most ballots, NaN without ballots or on a tie, and the number of ballots."""
    grades = np.unique(ballots[~np.isnan(ballots)])
    if not grades.size:
        return np.full(len(ballots), np.nan), np.zeros(len(ballots), dtype=np.int64)
    counts: NDArray[np.int64] = (ballots[:, :, None] == grades).sum(axis=1)
    top: Ints = counts.max(axis=1)
    is_top = (counts == top[:, None]) & (top > 0)[:, None]
    decides = is_top & (ballots[:, tie_breaker][:, None] == grades)
    is_top = np.where(decides.any(axis=1)[:, None], decides, is_top)
    is_single = is_top.sum(axis=1) == 1
    return np.where(is_single, grades[is_top.argmax(axis=1)], np.nan), top


def agreement(agreeing: int, present: int) -> MemberAgreement:
    """UNANIMOUS if all agree, SPLIT if at most the smallest possible majority or half agrees, else MAJORITY.

    With five members 5 is unanimous, 4 a majority and 3 split; three members have no majority in between.
    """
    if agreeing == present:
        return MemberAgreement.UNANIMOUS
    return MemberAgreement.SPLIT if agreeing <= (present + 1) // 2 else MemberAgreement.MAJORITY


@dataclass(frozen=True, slots=True)
class EnsembleMember:
    """A judge by name and identity, and the frozen mapping that its grades are by.

    ``by`` has the mapping's id, rule, version, pool and thresholds. A threshold is null if no score or every
    score reaches it: JSON has no infinity. Members of an older rule have other keys.
    """

    judge: str
    identity_sha256: str
    by: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Composition:
    """An ensemble: its rule, members, quorum (members that need a grade) and tie-breaking member.

    Stored ensembles may have an older rule, ``votes``, and its calibration; no job can start with it.
    """

    rule: str
    members: tuple[EnsembleMember, ...]
    quorum: int
    tie_breaker: str
    calibration: dict[str, Any] | None = None

    @property
    def tie_breaker_place(self) -> int:
        """The index of the tie-breaking member."""
        return [member.judge for member in self.members].index(self.tie_breaker)

    @property
    def decoding(self) -> dict[str, Any]:
        """The composition as plain JSON."""
        return asdict(self)

    def checked(self) -> Composition:
        """Return the composition itself; raise composition-refused if it is invalid."""
        names = [member.judge for member in self.members]
        if self.rule not in set(CombinationRule):
            raise InputError(
                f'Ensembles by "{self.rule}" keep their grades, but cannot judge again. Create one by '
                f"{' or '.join(CombinationRule)}.",
                code="composition-refused",
            )
        if not 2 <= len(set(names)) == len(names) <= MOST_MEMBERS:
            raise InputError(
                f"An ensemble has 2 to {MOST_MEMBERS} members, each a different judge.",
                code="composition-refused",
            )
        if not 1 <= self.quorum <= len(names):
            raise InputError(
                f"{len(names)} members cannot have a quorum of {self.quorum}. Choose 1 to {len(names)}.",
                code="composition-refused",
            )
        if self.tie_breaker not in names:
            raise InputError(
                f'"{self.tie_breaker}" cannot break ties: choose one of the members.',
                code="composition-refused",
            )
        return self


def composition_of(decoding: Mapping[str, Any]) -> Composition:
    """Return the composition in a judge's settings; raise composition-refused if there is none."""
    try:
        members = tuple(EnsembleMember(**member) for member in decoding["members"])
        return Composition(**{**decoding, "members": members})
    except (KeyError, TypeError) as error:
        raise InputError(
            "These settings have no members. Create an ensemble on the page of its task.",
            code="composition-refused",
        ) from error


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
