"""Ensembles: combine the ballots of several judges into one score per pair.

Ballots are an array of pairs by members: each member's grade, NaN where it has none. A vote is a grade, too:
0 for no, the calibrated level for yes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.core.arrays import Floats, Ints
from evaluation.core.errors import InputError
from evaluation.core.statistics.agreement.coefficients import cohen_kappa
from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.core.statistics.raw_scores.classification import best_f1, thresholds
from judges.core.inputs import Gap

MOST_MEMBERS = 8  # 254 subsets: a page computes their stability in a second


class CombinationRule(StrEnum):
    """How the members' ballots become one score."""

    MEAN = "mean"
    MAJORITY = "majority"
    VOTES = "votes"  # a majority of yes and no, by a threshold for each member


class MemberAgreement(StrEnum):
    """How many members agree with the most common grade, right or wrong."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"  # between the two
    SPLIT = "split"  # at most the smallest possible majority, or half of them


class Difficulty(StrEnum):
    """How many members are right by people's grades, after IMP's easy and hard pairs.

    Agreement cannot show this: members that are all wrong are unanimous, and their pair is hard. IMP:
    Benchmarking Image Polysemy in Vision-Language Models, 2023.
    """

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class NothingToCalibrate(InputError):
    """No pair has both a member's raw score and people's grade, or no such pair is relevant."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The lowest raw score at which a member votes yes, and its F1 on the calibration set."""

    score: float
    f1: float
    pair_count: int
    relevant_count: int


def best_threshold(scores: ArrayLike, is_relevant: ArrayLike) -> Threshold:
    """Return the threshold with the largest F1 against people's yes or no; the lowest on ties.

    Raises NothingToCalibrate without a relevant pair.
    """
    curve = thresholds(is_relevant, scores)
    best = best_f1(curve)
    if best.f1.value is None:
        raise NothingToCalibrate(
            "no pair of the calibration topics that people grade relevant has a raw score: choose more topics"
        )
    pair_count = curve.relevant_count + curve.other_count
    return Threshold(best.thresholds[0], best.f1.value, pair_count, curve.relevant_count)


def calibration_topics(topics: Iterable[str], share: float, seed: int) -> tuple[str, ...]:
    """Draw a share of the topics by the seed, at least one; return them in byte order."""
    ordered = sorted(set(topics), key=str.encode)
    count = min(len(ordered), max(1, round(share * len(ordered))))
    drawn = random.Random(seed).sample(ordered, count)  # noqa: S311 - a sample, no secret
    return tuple(sorted(drawn, key=str.encode))


def votes(scores: ArrayLike, threshold: float, level: int) -> Floats:
    """Return the ballots of one member by its threshold: 0 or the level, NaN where it has no score."""
    values = np.asarray(scores, dtype=np.float64)
    ballots: Floats = np.where(np.isnan(values), np.nan, np.where(values >= threshold, level, 0.0))
    return ballots


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
    most, agreeing = _most_common(ballots, tie_breaker)
    scores = np.where(present < quorum, np.nan, means if is_mean else most)
    gaps = tuple(
        None if not np.isnan(score) else Gap.TOO_FEW_MEMBERS if count < quorum else Gap.TIED
        for score, count in zip(scores, present, strict=True)
    )
    return Combined(scores, gaps, means, agreeing, present)


def _most_common(ballots: Floats, tie_breaker: int | None) -> tuple[Floats, Ints]:
    """Return the grade with the most ballots, NaN without ballots or on a tie, and the number of ballots."""
    grades = np.unique(ballots[~np.isnan(ballots)])
    if not grades.size:
        return np.full(len(ballots), np.nan), np.zeros(len(ballots), dtype=np.int64)
    counts: NDArray[np.int64] = (ballots[:, :, None] == grades).sum(axis=1)
    top: Ints = counts.max(axis=1)
    is_top = (counts == top[:, None]) & (top > 0)[:, None]
    if tie_breaker is not None:
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


def difficulty(correct: int, present: int) -> Difficulty:
    """HARD if at most a third of the members is right, EASY if at least two thirds are, else MEDIUM.

    Of seven members 0 to 2 right is hard, 3 and 4 medium, 5 to 7 easy. Thirds are our choice; IMP defines
    only the hardest pairs, on which nobody is right.
    """
    if 3 * correct <= present:
        return Difficulty.HARD
    return Difficulty.EASY if 3 * correct >= 2 * present else Difficulty.MEDIUM


def difficulties(ballots: Floats, people: Floats, *, quorum: int) -> list[Difficulty | None]:
    """Return the difficulty of each pair; None without a grade by people or ``quorum`` ballots.

    ``people`` are the correct ballots, NaN where unknown: people's grades, or for votes 0 or the level.
    """
    present = (~np.isnan(ballots)).sum(axis=1)
    correct = (ballots == people[:, None]).sum(axis=1)
    is_known = ~np.isnan(people) & (present >= max(1, quorum))
    return [
        difficulty(right, voted) if known else None
        for right, voted, known in zip(correct.tolist(), present.tolist(), is_known.tolist(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Stability:
    """Cohen's kappa between the majority of each subset of a size and the majority of all members.

    ``mean`` and ``least`` are over the subsets with a defined kappa, ``subset_count`` counts all.
    """

    size: int
    subset_count: int
    mean: Estimate
    least: Estimate


def stability(ballots: Floats, *, tie_breaker: int, scale: tuple[int, ...]) -> tuple[Stability, ...]:
    """Measure how little the majority depends on which members vote, for each subset size from 1.

    Unweighted kappa over the pairs on which both majorities are decided; a subset without the tie-breaking
    member skips its ties.
    """
    whole, _ = _most_common(ballots, tie_breaker)
    members = range(ballots.shape[1])
    return tuple(_of_size(ballots, whole, size, tie_breaker, scale) for size in members if size)


def _of_size(
    ballots: Floats, whole: Floats, size: int, tie_breaker: int, scale: tuple[int, ...]
) -> Stability:
    found: list[float] = []
    subsets: Sequence[tuple[int, ...]] = list(combinations(range(ballots.shape[1]), size))
    for subset in subsets:
        place = subset.index(tie_breaker) if tie_breaker in subset else None
        part, _ = _most_common(ballots[:, subset], place)
        both = ~np.isnan(part) & ~np.isnan(whole)
        kappa = cohen_kappa(part[both], whole[both], scale).value
        if kappa is not None:
            found.append(kappa)
    if not found:
        nothing = Estimate.undefined(Reason.ONE_GRADE)
        return Stability(size, len(subsets), nothing, nothing)
    return Stability(size, len(subsets), Estimate.of(float(np.mean(found))), Estimate.of(min(found)))
