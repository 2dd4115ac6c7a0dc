"""Agreement of assessors with each other, with known grades and with themselves."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from assessment.core.consolidation import full_agreement
from trackside.arrays import Ints
from trackside.statistics.agreement import (
    KappaWeights,
    fleiss_kappa,
    gwet_of_matrix,
    kappa_of_matrices,
    kappa_of_matrix,
    krippendorff_alpha,
    observed_agreement,
)
from trackside.statistics.estimate import Estimate, Interval, Reason
from trackside.statistics.proportions import wilson
from trackside.uncertainty.intervals import jackknife_interval, matrices_without_each

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


def confusion_by_topic(
    pairs: Sequence[tuple[int, int]],
    topics: Ints,
    people: Ints,
    other_people: Ints,
    grades: Ints,
    other_grades: Ints,
    counts: Ints,
    *,
    scale: Sequence[int],
) -> list[Ints]:
    """Return one confusion matrix for each common topic of each pair: (topics, grades, grades).

    ``counts`` items of ``topics``, numbered from 0, were graded ``grades`` by ``people`` and ``other_grades``
    by ``others``. A pair may be named in both orders; its counts are added, and negative ones subtract. Rows
    are the first assessor's grades and columns the second's, both in the order of the scale.
    """
    width, order = len(scale), np.argsort(scale)
    index, other_index = (order[np.searchsorted(scale, row, sorter=order)] for row in (grades, other_grades))
    cells = np.zeros((len(pairs), topics.max(initial=-1) + 1, width, width), dtype=np.int64)
    for matrices, (first, second) in zip(cells, pairs, strict=True):
        straight = (people == first) & (other_people == second)
        turned = (people == second) & (other_people == first)
        np.add.at(matrices, (topics[straight], index[straight], other_index[straight]), counts[straight])
        np.add.at(matrices, (topics[turned], other_index[turned], index[turned]), counts[turned])
    return [matrices[matrices.any(axis=(1, 2))] for matrices in cells]


def pair_agreement(first: str, second: str, matrices: Ints, scale: tuple[int, ...]) -> PairAgreement:
    """Compare two assessors by the confusion matrices of their common topics, of `confusion_by_topic`."""
    matrix, left_out = matrices.sum(axis=0), matrices_without_each(matrices)
    plain, linear, quadratic = (_kappa(matrix, left_out, scale, weights) for weights in WEIGHTS)
    return PairAgreement(
        first,
        second,
        int(matrix.sum()),
        len(matrices),
        observed_agreement(matrix),
        (plain, linear, quadratic),
        gwet_of_matrix(matrix, scale, "quadratic"),
    )


def _kappa(matrix: Ints, left_out: Ints, scale: tuple[int, ...], weights: KappaWeights | None) -> Kappa:
    """Kappa of a confusion matrix; its interval is of the matrices that each leave out one topic."""
    kappa = kappa_of_matrix(matrix, scale, weights)
    if kappa.value is None:
        return Kappa(kappa, Interval(None, None, LEVEL, kappa.reason))
    values = kappa_of_matrices(left_out, scale, weights)
    return Kappa(kappa, jackknife_interval(kappa.value, values, scale="correlation"))


def group_agreement(items: Mapping[tuple[int, ...], int], scale: tuple[int, ...]) -> GroupAgreement:
    """Return the share of unanimous items, Krippendorff's ordinal alpha, and Fleiss' kappa.

    ``items`` counts the items by the grades that were given to them, in any order.
    """
    shared = {grades: count for grades, count in items.items() if len(grades) > 1}
    if not shared:
        undefined = Estimate.undefined(Reason.EMPTY)
        return GroupAgreement(0, undefined, Estimate.undefined(Reason.NO_OVERLAP), undefined)
    times = list(shared.values())
    return GroupAgreement(
        sum(times),
        full_agreement(list(shared), times),
        krippendorff_alpha(list(zip_longest(*shared)), times=times),
        fleiss_kappa([[grades.count(grade) for grade in scale] for grades in shared], times=times),
    )


def share_of(matches: Collection[bool]) -> Proportion:
    """Return the share of True; undefined if empty."""
    return proportion(sum(matches), len(matches))


def proportion(count: int, of: int) -> Proportion:
    """Return the share of ``count`` in ``of``; undefined if ``of`` is 0."""
    share = Estimate.of(count / of) if of else Estimate.undefined(Reason.EMPTY)
    return Proportion(count, of, share, wilson(count, of, level=LEVEL))


def same_as(reference: Grades, grades: Grades) -> Proportion:
    """Return the share of equal grades on the items in both: on gold, or at the second time (test-retest)."""
    return share_of([grade == reference[pair] for pair, grade in grades.items() if pair in reference])
