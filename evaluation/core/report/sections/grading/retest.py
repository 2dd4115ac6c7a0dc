"""Test-retest: qrels of one judge asked twice, with the same question or in another order."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.core.report.tables import Column, Number, Section, Table
from evaluation.core.report.matrices import topic_matrices_of
from evaluation.core.report.resampled import coefficient
from evaluation.core.statistics.agreement.rows import agreement_of_matrices, estimate_of
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.correlation.rows import in_blocks
from evaluation.core.statistics.estimate import Estimand, Estimate, Reason
from evaluation.core.uncertainty import jackknife_interval, matrices_without_each, rank_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from evaluation.core.arrays import Ints
    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

NEW_TOPICS = Estimand.NEW_TOPICS.words
GRADES = (
    Column("one"),
    Column("other"),
    Column("what differs"),
    Column("topics", ",d"),
    Column("items", ",d"),
    Column("same grade", ".1%", has_interval=True, estimand=NEW_TOPICS),
    Column("kappa", "z.2f", has_interval=True, estimand=NEW_TOPICS),
    Column("mean distance of raw scores", ".4f", has_interval=True, estimand=NEW_TOPICS),
)
ORDERS = (
    Column("measure"),
    Column("one"),
    Column("other"),
    Column("what differs"),
    Column("topics", ",d"),
    Column("runs", ",d"),
    Column("tau", "z.2f", has_interval=True, estimand=Estimand.AS_MANY_OTHER_TOPICS.words),
)
RETEST, AGAIN = "seed", "nothing"


def repeats_section(study: Study, findings: Findings) -> Section:
    """Grades and raw scores of each repeated pair, and tau between their orders of the runs.

    Kappa is copied from the table of every two sets.
    """
    pairs = list(repeated_pairs(study))
    title = "The same judge asked again"
    if not pairs:
        words = (
            "No judge was asked twice with all else equal (another seed, or another order of text and "
            "image), so repeatability is not known."
        )
        return Section("repeats", title, (words,))
    grades = Table(
        "repeats",
        "Grades of a judge that was asked twice.",
        GRADES,
        tuple((*_about(study, pair), *_grades(study, findings, pair[0], pair[1])) for pair in pairs),
        (
            "seed: the same question again (test and retest). order: text and image, or the text's fields, "
            "in another order.",
        ),
    )
    rows = tuple(
        (measure, *_about(study, pair), *_orders(study, at, pair[0], pair[1]))
        for at, measure in enumerate(study.measures)
        for pair in pairs
    )
    return Section(
        "repeats", title, (), (grades, Table("repeats-order", "Their orders of the runs.", ORDERS, rows))
    )


def repeated_pairs(study: Study) -> Iterator[tuple[int, int, str]]:
    """Yield the indices of two sets of one judge and what differs between them.

    Reads ``identity``, ``order`` and ``seed`` of their provenance.
    """
    for one, other in combinations(study.others, 2):
        first, second = study.sets[one].provenance, study.sets[other].provenance
        if first.get("identity") and first.get("identity") == second.get("identity"):
            yield one, other, _difference(first, second)


def _difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    if first.get("order") != second.get("order"):
        return f"order: {_order(first)}; {_order(second)}"
    return RETEST if first.get("seed") != second.get("seed") else AGAIN


def _order(provenance: Mapping[str, Any]) -> str:
    """Describe the order of the input, such as "image first, fields title, body"."""
    order = provenance.get("order") or {}
    image, fields = order.get("image"), order.get("fields") or ()
    parts = [f"image {image}"] if image else []
    return ", ".join([*parts, *([f"fields {', '.join(map(str, fields))}"] if fields else [])]) or "unknown"


def _about(study: Study, pair: tuple[int, int, str]) -> tuple[str, str, str]:
    return study.name(pair[0]), study.name(pair[1]), pair[2]


def _grades(study: Study, findings: Findings, one: int, other: int) -> tuple[Cell, ...]:
    by_topic = topic_matrices_of(study, one, other)
    non_empty = by_topic[by_topic.any(axis=(1, 2))]
    known = findings.table("pairwise-kappa")
    record = known.record(one=study.name(one), other=study.name(other)) if known else None
    return (
        len(non_empty),
        int(non_empty.sum()),
        _same_grade(non_empty),
        record["kappa"] if record else None,
        _distance(study, one, other),
    )


def _same_grade(by_topic: Ints) -> Number:
    found = estimate_of(agreement_of_matrices, by_topic.sum(axis=0))
    if found.value is None:
        return Number.of(found)
    left_out = agreement_of_matrices(matrices_without_each(by_topic))
    return Number.of(found, jackknife_interval(found, left_out, scale="share"))


def _distance(study: Study, one: int, other: int) -> Number:
    """Mean absolute difference of the raw scores over the pairs that both scored."""
    distances = np.abs(study.raw_scores[one] - study.raw_scores[other])
    known = ~np.isnan(distances)
    if not known.any():
        return Number(None, Reason.EMPTY)
    topics = np.unique(study.topic_of_pair[known], return_inverse=True)[1]
    sums, counts = np.bincount(topics, weights=distances[known]), np.bincount(topics)
    value = Estimate.of(sums.sum() / counts.sum())
    if sums.size < 2:
        return Number.of(value, jackknife_interval(value, np.empty(0)))
    left_out = (sums.sum() - sums) / (counts.sum() - counts)
    return Number.of(value, jackknife_interval(value, left_out))


def _orders(study: Study, at: int, one: int, other: int) -> tuple[Cell, ...]:
    shared = study.shared_values(at, one, other)
    size = shared.topics.size, shared.runs.size
    if not all(size):
        return *size, Number(None, Reason.TOO_FEW if shared.topics.size else Reason.NO_SHARED_TOPIC)
    found = coefficient(kendall_tau_b_of_rows, *shared.means())
    samples = in_blocks(kendall_tau_b_of_rows, *(study.sampled_means(values) for values in shared.values))
    return *size, Number.of(found, rank_interval(found, samples, shared.topics.size))
