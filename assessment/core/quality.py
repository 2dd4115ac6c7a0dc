"""Agreement of assessors with each other, with known grades and with themselves."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from assessment.core.consolidation import full_agreement
from evaluation.core.statistics.agreement.coefficients import (
    confusion_matrix,
    kappa_of_matrices,
    kappa_of_matrix,
    observed_agreement,
)
from evaluation.core.statistics.agreement.reliability import fleiss_kappa, gwet_ac, krippendorff_alpha
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.proportions import wilson
from evaluation.core.uncertainty import jackknife_interval, matrices_without_each

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from evaluation.core.arrays import Ints
    from evaluation.core.statistics.agreement.coefficients import KappaWeights

    Pair = tuple[str, str]  # topic, docno
    Grades = Mapping[Pair, int]  # of one assessor

LEVEL = 0.95
WEIGHTS: tuple[KappaWeights | None, ...] = (None, "linear", "quadratic")


@dataclass(frozen=True, slots=True)
class Kappa:
    """A kappa with its interval over topics."""

    value: Estimate
    interval: Interval


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two assessors on the items that both graded; the kappas are unweighted, linear and quadratic."""

    first: str
    second: str
    item_count: int
    topic_count: int
    observed: Estimate
    kappas: tuple[Kappa, Kappa, Kappa]
    gwet: Estimate


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """All assessors together, on the items with at least two grades."""

    item_count: int
    unanimous: Estimate
    alpha: Estimate
    fleiss: Estimate


@dataclass(frozen=True, slots=True)
class Proportion:
    """A proportion with its counts and Wilson's interval."""

    count: int
    of: int
    share: Estimate
    interval: Interval


def pair_agreements(grades: Mapping[str, Grades], scale: tuple[int, ...]) -> list[PairAgreement]:
    """Compare each pair of assessors with a common item, in order of names."""
    found = []
    for first, second in combinations(sorted(grades), 2):
        shared = sorted(grades[first].keys() & grades[second].keys())
        if shared:
            found.append(_compare(first, second, shared, grades, scale))
    return found


def _compare(
    first: str,
    second: str,
    shared: Sequence[Pair],
    grades: Mapping[str, Grades],
    scale: tuple[int, ...],
) -> PairAgreement:
    by_topic: dict[str, list[Pair]] = defaultdict(list)
    for pair in shared:
        by_topic[pair[0]].append(pair)
    a, b = ([grades[each][pair] for pair in shared] for each in (first, second))
    matrices = np.array(
        [
            confusion_matrix(
                [grades[first][pair] for pair in pairs], [grades[second][pair] for pair in pairs], scale
            )
            for pairs in by_topic.values()
        ]
    )
    plain, linear, quadratic = (_kappa(matrices, scale, weights) for weights in WEIGHTS)
    return PairAgreement(
        first,
        second,
        len(shared),
        len(by_topic),
        observed_agreement(matrices.sum(axis=0)),
        (plain, linear, quadratic),
        gwet_ac(a, b, scale, "quadratic"),
    )


def _kappa(matrices: Ints, scale: tuple[int, ...], weights: KappaWeights | None) -> Kappa:
    value = kappa_of_matrix(matrices.sum(axis=0), scale, weights)
    left_out = kappa_of_matrices(matrices_without_each(matrices), scale, weights)
    return Kappa(value, jackknife_interval(value, left_out, scale="correlation"))


def group_agreement(items: Mapping[tuple[int, ...], int], scale: tuple[int, ...]) -> GroupAgreement:
    """Return the share of unanimous items, Krippendorff's ordinal alpha, and Fleiss' kappa.

    ``items`` counts the items by the grades that were given to them, in any order.
    """
    shared = {grades: count for grades, count in items.items() if len(grades) > 1}
    if not shared:
        nothing = Estimate.undefined(Reason.EMPTY)
        return GroupAgreement(0, nothing, Estimate.undefined(Reason.NO_OVERLAP), nothing)
    times = list(shared.values())
    return GroupAgreement(
        sum(times),
        full_agreement(list(shared), times),
        krippendorff_alpha(list(zip_longest(*shared)), times=times),
        fleiss_kappa([[grades.count(grade) for grade in scale] for grades in shared], times=times),
    )


def count_shared(items: Ints, people: Ints) -> tuple[Ints, Ints]:
    """Return the people, ascending, and a matrix with the number of items that each pair of them shares.

    ``items`` and ``people`` name an item and a person for each grade; nobody grades an item twice.
    """
    from scipy.sparse import csr_array

    names, rows = np.unique(people, return_inverse=True)
    if not len(names):
        return names, np.zeros((0, 0), dtype=np.int64)
    columns = np.unique(items, return_inverse=True)[1]
    graded = csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)))
    return names, (graded @ graded.T).toarray()


def share_of(right: Collection[bool]) -> Proportion:
    """Return the share of True; undefined if empty."""
    count, of = sum(right), len(right)
    share = Estimate.of(count / of) if of else Estimate.undefined(Reason.EMPTY)
    return Proportion(count, of, share, wilson(count, of, level=LEVEL))


def right_on_gold(grades: Grades, gold: Grades) -> Proportion:
    """Return the share of graded gold items with the known grade."""
    return share_of([grade == gold[pair] for pair, grade in grades.items() if pair in gold])


def retest_agreement(grades: Grades, repeats: Grades) -> Proportion:
    """Return the share of repeated items with the same grade both times (test-retest)."""
    return share_of([grade == grades[pair] for pair, grade in repeats.items() if pair in grades])
