"""Do judges order the runs as people do within single topics? Tau of each topic and its distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.judges.strips import strips
from evaluation.core.figures.svg.judge_charts import strips_svg
from evaluation.core.report.figure_titles import within_topics_title
from evaluation.core.report.tables import Column, Figure, Number, Section, Table, slug
from evaluation.core.report.focus import classes_of, named_judges
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.estimate import Estimand, Estimate, Reason
from evaluation.core.uncertainty import mean_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

QUARTILES = (0.25, 0.5, 0.75)
FORM = "z.2f"


@dataclass(frozen=True)
class _TopicTaus:
    """tau of each topic under one measure and judge; NaN if all runs are equal on either side."""

    at: int
    judge: int
    runs: int
    topics: Ints
    taus: Floats

    @property
    def known(self) -> Floats:
        found: Floats = self.taus[~np.isnan(self.taus)]
        return found


def topic_orders_section(study: Study) -> Section:
    """The distribution by measure and judge, tau of every topic, and one figure for each measure."""
    found = [_topic_taus(study, at, judge) for at in range(len(study.measures)) for judge in study.others]
    tables = (_distributions(study, found), _each_topic(study, found))
    return Section(
        "topic-orders", "Order within topics", (), tables, tuple(_figures(study, found, tables[0]))
    )


def _topic_taus(study: Study, at: int, judge: int) -> _TopicTaus:
    shared = study.shared_values(at, PEOPLE, judge)
    people, own = (values.T for values in shared.values)
    taus = kendall_tau_b_of_rows(people, own) if shared.runs.size else np.full(len(people), np.nan)
    return _TopicTaus(at, judge, shared.runs.size, shared.topics, taus)


def _distributions(study: Study, found: list[_TopicTaus]) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        Column("runs", ",d"),
        Column("topics", ",d"),
        Column("with tau", ",d"),
        Column("mean", FORM, has_interval=True, estimand=Estimand.NEW_TOPICS.words),
        Column("least", FORM),
        Column("first quartile", FORM),
        Column("median", FORM),
        Column("third quartile", FORM),
        Column("most", FORM),
        Column("below 0", ".0%", estimand="share of these topics with tau"),
    )
    rows = tuple(
        (study.measures[each.at], study.name(each.judge), each.runs, each.topics.size, *_distribution(each))
        for each in found
    )
    notes = (
        "tau-b of the runs' values on one topic. A topic has no tau if people or the judge give all runs the "
        "same value. On one topic values tie often and a single item may decide, so tau within topics is "
        "lower than tau of the means. The interval is that of the mean over topics.",
    )
    return Table("tau-by-topic", "tau within topics: its distribution.", columns, rows, notes)


def _distribution(each: _TopicTaus) -> tuple[Cell, ...]:
    taus = each.known
    if not taus.size:
        return 0, Number(None, _why_none(each)), *[None] * 6
    mean = Number.of(Estimate.of(taus.mean()), mean_intervals(taus[None], bounds=(-1.0, 1.0)).interval(0))
    low, median, high = _quartiles(taus)
    return taus.size, mean, float(taus.min()), low, median, high, float(taus.max()), float((taus < 0).mean())


def _why_none(each: _TopicTaus) -> Reason:
    if not each.topics.size:
        return Reason.NO_SHARED_TOPIC
    return Reason.TOO_FEW if each.runs < 2 else Reason.CONSTANT


def _quartiles(taus: Floats) -> tuple[float, float, float]:
    low, median, high = np.quantile(taus, QUARTILES).tolist()
    return low, median, high


def _each_topic(study: Study, found: list[_TopicTaus]) -> Table:
    columns = (
        Column("measure"),
        Column("topic"),
        *(Column(study.name(judge), FORM) for judge in study.others),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        own = [
            dict(zip(each.topics.tolist(), each.taus.tolist(), strict=True))
            for each in found
            if each.at == at
        ]
        topics = sorted(set().union(*own))
        rows += [(measure, study.topics[topic], *(_tau(taus, topic) for taus in own)) for topic in topics]
    notes = ("A dash: the judge graded nothing of the topic that people graded.",)
    return Table("tau-on-each-topic", "tau on each topic, by judge.", columns, tuple(rows), notes)


def _tau(taus: dict[int, float], topic: int) -> Cell:
    if topic not in taus:
        return None
    value = taus[topic]
    return Number(None, Reason.CONSTANT) if np.isnan(value) else Number(value)


def _figures(study: Study, found: list[_TopicTaus], table: Table) -> Iterator[Figure]:
    classes = classes_of(study)
    for at, measure in enumerate(study.measures):
        own = [each for each in found if each.at == at and each.known.size]
        if not own:
            continue
        rows = [
            (study.name(each.judge), classes[each.judge], each.known.tolist(), _quartiles(each.known))
            for each in own
        ]
        name, title = (
            slug("topic-tau", measure=measure),
            within_topics_title(table, measure, named_judges(study)),
        )
        desc = "A row per judge, a stroke per topic; box: the middle half of topics, mark: the median."
        svg = strips_svg(
            strips(rows, across=(-1.0, 1.0)), name=name, title=title, desc=desc, axis=f"tau of {measure}"
        )
        yield Figure(name, title, desc, svg, "tau-by-topic", measure, is_wide=True)
