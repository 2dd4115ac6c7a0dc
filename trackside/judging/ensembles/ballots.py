"""Ensembles: combine the ballots of several judges into one score per pair.

Ballots are an array of pairs by members: each member's grade, NaN where it has none.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import Floats, Ints
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
