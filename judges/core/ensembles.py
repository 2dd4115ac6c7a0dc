"""Judges made of other judges: what the members say of each pair becomes one score.

Ballots are an array of pairs by members: the grade that each member gives, NaN where it has none. A vote is a
grade too: 0 for no, the level that was asked about for yes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.core.agreement import cohen_kappa
from evaluation.core.arrays import Floats, Ints
from evaluation.core.classification import best_f1, thresholds
from evaluation.core.errors import InputError
from evaluation.core.estimate import Estimate, Reason
from judges.core.inputs import Gap

MOST_MEMBERS = 8  # 254 subsets, whose stability a page computes in a second


class Rule(StrEnum):
    """How the members' ballots become one score."""

    MEAN = "mean"
    MAJORITY = "majority"
    VOTES = "votes"  # a majority, too, but of yes and no, by a threshold for each member


class Stratum(StrEnum):
    """How many members agree with what most say: all of them, as few as can be, or some number between."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class NothingToCalibrate(InputError):
    """No pair has both a member's raw score and people's grade, or none of these is relevant."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The raw score from which a member votes yes, and how well that does on the calibration set."""

    score: float
    f1: float
    pair_count: int
    relevant_count: int


def best_threshold(scores: ArrayLike, is_relevant: ArrayLike) -> Threshold:
    """The threshold with the largest F1 against people's yes or no; the lowest where several are.

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
    """A sample of the topics in byte order: that share of them, but one at least, drawn by the seed."""
    ordered = sorted(set(topics), key=str.encode)
    count = min(len(ordered), max(1, round(share * len(ordered))))
    drawn = random.Random(seed).sample(ordered, count)  # noqa: S311 - a sample, no secret
    return tuple(sorted(drawn, key=str.encode))


def votes(scores: ArrayLike, threshold: float, level: int) -> Floats:
    """The ballots of one member by its threshold: 0 or the level, NaN where it has no score."""
    values = np.asarray(scores, dtype=np.float64)
    ballots: Floats = np.where(np.isnan(values), np.nan, np.where(values >= threshold, level, 0.0))
    return ballots


@dataclass(frozen=True, slots=True)
class Combined:
    """What an ensemble makes of each pair: a score, NaN where ``gaps`` says why there is none.

    ``means`` is the mean of the ballots, NaN without any; ``agreeing`` counts the members that gave the grade
    that most gave, ``present`` those that gave one at all.
    """

    scores: Floats
    gaps: tuple[Gap | None, ...]
    means: Floats
    agreeing: Ints
    present: Ints


def combine(ballots: Floats, *, is_mean: bool, quorum: int, tie_breaker: int) -> Combined:
    """One score a pair: the mean of its ballots, or the grade that most members give.

    Where several grades have as many ballots, that of the tie-breaking member decides, if it is one of them;
    else the pair is TIED. TOO_FEW_MEMBERS where fewer than ``quorum`` members have a grade.
    """
    is_there = ~np.isnan(ballots)
    present: Ints = is_there.sum(axis=1)
    sums = np.where(is_there, ballots, 0.0).sum(axis=1)
    means = np.divide(sums, present, out=np.full(len(ballots), np.nan), where=present > 0)
    most, agreeing = _most_common(ballots, tie_breaker)
    scores = np.where(present < quorum, np.nan, means if is_mean else most)
    gaps = tuple(
        None if not np.isnan(score) else Gap.TOO_FEW_MEMBERS if count < quorum else Gap.TIED
        for score, count in zip(scores, present, strict=True)
    )
    return Combined(scores, gaps, means, agreeing, present)


def _most_common(ballots: Floats, tie_breaker: int | None) -> tuple[Floats, Ints]:
    """The grade with the most ballots, NaN where none or a tie is left; and the number of its ballots."""
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


def stratum(agreeing: int, present: int) -> Stratum:
    """EASY when all agree, HARD when no more than the smallest possible majority does, or half of them.

    With five members 5 is easy, 4 medium and 3 hard; with three nothing is medium.
    """
    if agreeing == present:
        return Stratum.EASY
    return Stratum.HARD if agreeing <= (present + 1) // 2 else Stratum.MEDIUM


@dataclass(frozen=True, slots=True)
class Stability:
    """Cohen's kappa of the majorities of all subsets of a size with that of all members.

    ``mean`` and ``least`` are over the subsets whose kappa is defined, ``subset_count`` counts all.
    """

    size: int
    subset_count: int
    mean: Estimate
    least: Estimate


def stability(ballots: Floats, *, tie_breaker: int, scale: tuple[int, ...]) -> tuple[Stability, ...]:
    """How little the majority depends on which members vote: for each size of subset, from one member on.

    Plain kappa over the pairs on which both majorities are decided; a subset without the tie-breaking member
    leaves its ties out.
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
