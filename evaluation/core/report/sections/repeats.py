"""Test and retest: sets of one judge that was asked twice, with the same question or in another order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.agreement import agreement_numbers
from evaluation.core.report.questions import confusions
from evaluation.core.report.sections.parts import COEFFICIENT, NEW_TOPICS
from evaluation.core.report.tables import Column, View, table_of
from evaluation.core.statistics.agreement.rows import coefficients
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.findings.provenance import JudgeProvenance, ReadingOrder
    from evaluation.core.report.study import Study
    from evaluation.core.report.tables import Number, Table


@dataclass(frozen=True, slots=True)
class RepeatRow:
    """Two sets of one judge; ``tau`` is that of their orders by the report's first measure."""

    one: str
    other: str
    differs: str
    pairs: int
    same_grade: Number
    kappa: Number
    tau: float | None


VIEWS: tuple[View[RepeatRow], ...] = (
    View(Column("one"), lambda row: row.one),
    View(Column("other"), lambda row: row.other),
    View(Column("what differs"), lambda row: row.differs),
    View(Column("pairs", ",d"), lambda row: row.pairs),
    View(Column("same grade", ".1%", has_interval=True, estimand=NEW_TOPICS), lambda row: row.same_grade),
    View(Column("kappa", COEFFICIENT, has_interval=True, estimand=NEW_TOPICS), lambda row: row.kappa),
    View(Column("tau", COEFFICIENT), lambda row: row.tau),
)


def repeats_table(study: Study) -> Table:
    """A row for each two sets of one judge, by the identity, order and seed of their provenance."""
    notes = (
        "seed: the same question again (test and retest). order: text and image, or the text's fields, in "
        f"another order. tau: of the two orders of the runs by {study.measures[0]}.",
    )
    return table_of("repeats", "Grades of a judge that was asked twice.", VIEWS, _rows(study), notes)


def _rows(study: Study) -> Iterator[RepeatRow]:
    for one, other in combinations(study.judges, 2):
        first, second = study.sets[one].judge_provenance, study.sets[other].judge_provenance
        if first.identity and first.identity == second.identity:
            yield _row(study, one, other, _difference(first, second))


def _row(study: Study, one: int, other: int, differs: str) -> RepeatRow:
    by_topic = confusions(study, one, other)
    known = coefficients(study.design.scale)
    chosen = {name: known[name] for name in ("same grade", "kappa")}
    numbers = agreement_numbers(by_topic, study.design.scale, chosen)
    return RepeatRow(
        study.name(one),
        study.name(other),
        differs,
        int(by_topic.sum()),
        numbers["same grade"],
        numbers["kappa"],
        _tau(study, one, other),
    )


def _tau(study: Study, one: int, other: int) -> float | None:
    shared = study.shared_values(0, one, other)
    if not shared.runs.size:
        return None
    first, second = shared.means()
    tau = kendall_tau_b_of_rows(first[None], second[None])[0]
    return None if np.isnan(tau) else float(tau)


def _difference(first: JudgeProvenance, second: JudgeProvenance) -> str:
    if first.order != second.order:
        return f"order: {_order(first.order)}; {_order(second.order)}"
    return "seed" if first.seed != second.seed else "nothing"


def _order(order: ReadingOrder | None) -> str:
    """Describe the order of the input, such as "image first, fields title, body"."""
    if order is None:
        return "unknown"
    parts = [f"image {order.image}"] if order.image else []
    return ", ".join([*parts, *([f"fields {', '.join(order.fields)}"] if order.fields else [])]) or "unknown"
