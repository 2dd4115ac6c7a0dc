"""The votes of several judges: one grade or score for each pair, and how far the judges agree.

Ballots are an array of pairs by judges: each judge's grade, NaN where it has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.files.pair_strata import Pair, graded_pairs
from trackside.judging.inputs import Gap


class VotingRule(StrEnum):
    """How ballots become one number."""

    MAJORITY = "majority"
    MEAN = "mean"


class MemberAgreement(StrEnum):
    """How many judges agree with the most common grade, right or wrong."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"  # between the two
    SPLIT = "split"  # at most the smallest possible majority, or half of them


@dataclass(frozen=True, slots=True)
class Votes:
    """The number of each pair, NaN where ``gaps`` has the reason.

    ``agreeing`` counts the judges that gave the most common grade, ``present`` the judges that gave a grade.
    """

    pairs: tuple[Pair, ...]
    scores: Floats
    gaps: tuple[Gap | None, ...]
    agreeing: Ints
    present: Ints


def vote(judges: Sequence[Qrels], *, rule: str = VotingRule.MAJORITY, quorum: int | None = None) -> Votes:
    """Combine the grades of each pair that some judge graded; the pairs are in the order of their names.

    ``rule`` is "majority", the most common grade, or "mean". Fewer grades than ``quorum`` (by default more
    than half of the judges) are too few. If several grades are most common, the first judge's decides if it
    is one of them; else the pair is tied. Raises InputError.
    """
    least = _least(judges, quorum)
    graded = [graded_pairs(qrels) for qrels in judges]
    pairs = sorted(set().union(*graded))
    ballots = np.array([[grades.get(pair, np.nan) for grades in graded] for pair in pairs], dtype=float)
    return count_votes(pairs, ballots.reshape(len(pairs), len(judges)), VotingRule(rule), least)


def _least(judges: Sequence[Qrels], quorum: int | None) -> int:
    """Return the fewest grades of a pair. Raises InputError."""
    quorum = len(judges) // 2 + 1 if quorum is None else quorum
    if len(judges) < 2:
        raise InputError("A vote takes at least two judges. Name the qrels of each.")
    if not 1 <= quorum <= len(judges):
        raise InputError(f"{len(judges)} judges cannot have a quorum of {quorum}. Give 1 to {len(judges)}.")
    return quorum


def count_votes(pairs: Sequence[Pair], ballots: Floats, rule: VotingRule, quorum: int) -> Votes:
    """Return the votes of these ballots, as ``vote`` does."""
    has_ballot = ~np.isnan(ballots)
    present: Ints = has_ballot.sum(axis=1)
    sums = np.where(has_ballot, ballots, 0.0).sum(axis=1)
    means = np.divide(sums, present, out=np.full(len(ballots), np.nan), where=present > 0)
    most_common, agreeing = _most_common(ballots)
    scores = np.where(present < quorum, np.nan, means if rule == VotingRule.MEAN else most_common)
    gaps = tuple(
        None if not np.isnan(score) else Gap.TOO_FEW_MEMBERS if count < quorum else Gap.TIED
        for score, count in zip(scores, present, strict=True)
    )
    return Votes(tuple(pairs), scores, gaps, agreeing, present)


class Difficulty(StrEnum):
    """How many judges grade a pair as people do, as IMP divides pairs by an ensemble; the cuts are ours."""

    EASY = "easy"  # more than two thirds
    MEDIUM = "medium"
    HARD = "hard"  # fewer than a third


@dataclass(frozen=True, slots=True)
class Difficulties:
    """The difficulty of each pair by name, and the pairs that fewer judges than a quorum graded."""

    by_pair: dict[Pair, Difficulty]
    too_few: tuple[Pair, ...]


def difficulties(judges: Sequence[Qrels], people: Qrels, *, quorum: int | None = None) -> Difficulties:
    """Divide the pairs that people graded by the judges that give people's grade, of those with a grade.

    Fewer grades than ``quorum`` (by default more than half of the judges) are too few. A judge agrees with
    people on pairs that it made easy itself: compare other judges. Raises InputError.
    """
    least, graded = _least(judges, quorum), [graded_pairs(qrels) for qrels in judges]
    by_pair, too_few = {}, []
    for pair, grade in sorted(graded_pairs(people).items()):
        given = [grades[pair] for grades in graded if pair in grades]
        if len(given) < least:
            too_few.append(pair)
        else:
            by_pair[pair] = _difficulty(given.count(grade), len(given))
    return Difficulties(by_pair, tuple(too_few))


def _difficulty(right: int, present: int) -> Difficulty:
    if 3 * right > 2 * present:
        return Difficulty.EASY
    return Difficulty.HARD if 3 * right < present else Difficulty.MEDIUM


def _most_common(ballots: Floats) -> tuple[Floats, Ints]:
    """Return the grade with the most ballots, NaN without ballots or on a tie, and the number of ballots."""
    grades = np.unique(ballots[~np.isnan(ballots)])
    if not grades.size:
        return np.full(len(ballots), np.nan), np.zeros(len(ballots), dtype=np.int64)
    counts: NDArray[np.int64] = (ballots[:, :, None] == grades).sum(axis=1)
    top: Ints = counts.max(axis=1)
    is_top = (counts == top[:, None]) & (top > 0)[:, None]
    decides = is_top & (ballots[:, 0][:, None] == grades)
    is_top = np.where(decides.any(axis=1)[:, None], decides, is_top)
    is_single = is_top.sum(axis=1) == 1
    return np.where(is_single, grades[is_top.argmax(axis=1)], np.nan), top


def agreement(agreeing: int, present: int) -> MemberAgreement:
    """UNANIMOUS if all agree, SPLIT if at most the smallest possible majority or half agrees, else MAJORITY.

    With five judges 5 is unanimous, 4 a majority and 3 split; three judges have no majority in between.
    """
    if agreeing == present:
        return MemberAgreement.UNANIMOUS
    return MemberAgreement.SPLIT if agreeing <= (present + 1) // 2 else MemberAgreement.MAJORITY
