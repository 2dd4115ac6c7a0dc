"""Krippendorff's alpha of "this grade or more" against "less", at every cut of the scale."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from evaluation.core.report.agreement import fewest_for_alpha
from evaluation.core.report.tables import Column, Number, Table
from evaluation.core.report.matrices import topic_matrices
from evaluation.core.statistics.agreement.rows import alpha_at_cut_of_matrices, estimate_of
from evaluation.core.statistics.estimate import Estimand
from evaluation.core.uncertainty import jackknife_interval, matrices_without_each

if TYPE_CHECKING:
    from evaluation.core.arrays import Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

COLUMNS = (
    Column("judge"),
    Column("relevant from", "d"),
    Column("topics", ",d"),
    Column("items", ",d"),
    Column("alpha", "z.3f", has_interval=True, estimand=Estimand.NEW_TOPICS.words),
)


def alpha_by_cut(study: Study) -> Table:
    """One row for each judge and cut."""
    rows: list[tuple[Cell, ...]] = []
    for judge in study.others:
        matrices = topic_matrices(study, judge)
        by_topic = matrices[matrices.any(axis=(1, 2))]
        for place, cut in enumerate(study.design.scale[1:]):
            found = _alpha(study, by_topic, cut, fewest_for_alpha(place))
            rows.append((study.name(judge), cut, len(by_topic), int(by_topic.sum()), found))
    notes = ("Binary alpha on the items that people and the judge graded, pooled over topics.",)
    caption = "Krippendorff's alpha of “this grade or more” against “less”."
    return Table("alpha-by-cut", caption, COLUMNS, tuple(rows), notes)


def _alpha(study: Study, by_topic: Ints, cut: int, fewest: int) -> Number:
    alpha = partial(alpha_at_cut_of_matrices, scale=study.design.scale, cut=cut)
    found = estimate_of(alpha, by_topic.sum(axis=0))
    if found.value is None:
        return Number.of(found)
    left_out = alpha(matrices_without_each(by_topic))
    return Number.of(found, jackknife_interval(found, left_out, scale="correlation", fewest=fewest))
