"""Variance components of the values: runs, topics, qrels and their interactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.tables import Column, Section, Table
from evaluation.core.report.focus import models_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.variance_components import FEWEST, variance_components

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

COLUMNS = (
    Column("measure"),
    Column("source"),
    Column("qrels", ",d"),
    Column("runs", ",d"),
    Column("topics", ",d"),
    Column("degrees of freedom", ",d"),
    Column("mean square", ".5f"),
    Column("estimate", "z.5f", estimand="solution of the ANOVA equations; may be negative"),
    Column("variance", ".5f", estimand="variance of one value, with runs, topics and qrels of this kind"),
    Column("share", ".1%"),
)
MEANINGS = {
    ("run",): "run",
    ("topic",): "topic",
    ("qrels",): "qrels",
    ("run", "topic"): "run × topic",
    ("run", "qrels"): "run × qrels",
    ("topic", "qrels"): "topic × qrels",
    ("run", "topic", "qrels"): "run × topic × qrels, and error",
}


def variance_section(study: Study) -> Section:
    """Components by measure over people and all models, on the topics and items that all of them grade."""
    table = Table(
        "variance-components", "Sources of variance of the values.", COLUMNS, _rows(study), _notes()
    )
    return Section("variance", "Where differences come from", _says(study, table), (table,))


def _rows(study: Study) -> tuple[tuple[Cell, ...], ...]:
    places = PEOPLE, *models_of(study)
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        values = study.shared_values(at, *places).values.transpose(1, 2, 0)
        if min(values.shape) < FEWEST:
            continue
        found = variance_components(values)
        total = sum(each.variance for each in found)
        for each in found:
            share = each.variance / total if total else None
            size = len(places), values.shape[0], values.shape[1], each.freedom
            cells = each.mean_square, each.estimate, each.variance, share
            rows.append((measure, MEANINGS[each.facets], *size, *cells))
    return tuple(rows)


def _notes() -> tuple[str, ...]:
    return (
        "A generalizability study (Brennan 2001): runs, topics and qrels are taken as drawn at random, and "
        "people and all models count as one kind of qrels. A negative estimate counts as 0. The estimates "
        "have no intervals: with few qrels, those with qrels in them are rough.",
        "run: differences of runs over all topics and qrels. topic: differences of topics in difficulty. "
        "qrels: differences of qrels in leniency. run × qrels: disagreement of qrels on which run is better "
        "over all topics, which lowers tau. run × topic: runs that are better on some topics than on others. "
        "topic × qrels: leniency that changes from topic to topic.",
    )


def _says(study: Study, table: Table) -> tuple[str, ...]:
    if table.rows:
        return ()
    names = ", ".join(study.name(place) for place in (PEOPLE, *models_of(study)))
    return (
        f"{names} have fewer than two topics or two runs in common: variance components cannot be computed.",
    )
