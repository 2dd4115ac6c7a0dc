"""The order at the top: tau_AP, the first runs, and the best runs under people and under each judge."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evaluation.core.report.best_runs import best_runs
from evaluation.core.report.sections.parts import COEFFICIENT, OTHER_TOPICS
from evaluation.core.report.shared_values import Shared
from evaluation.core.report.study import PEOPLE, Study
from evaluation.core.report.tables import Column, Number, Selector, Table, View, table_of
from evaluation.core.statistics.correlation import (
    largest_drop_of_rows,
    tau_ap_a_of_rows,
    top_overlap,
)
from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.core.statistics.ranks import TIE
from evaluation.core.uncertainty import FEWEST_TOPICS, rank_interval

TOP = 5
FEWEST_FOR_TOP, FEWEST_FOR_DROP = TOP + 1, 4  # of fewer runs, the number says nothing


@dataclass(frozen=True, slots=True)
class TopRow:
    """The best runs by one measure under people and a judge, on the pairs that both graded.

    ``loss`` is people's mean of their first run minus that of the judge's first run.
    """

    measure: str
    judge: str
    tau_ap: Number
    is_first_same: bool
    top_share: float | None
    largest_drop: int | None
    first: str
    group: int
    of_people: int
    shared: int
    loss: float


VIEWS: tuple[View[TopRow], ...] = (
    View(Column("measure", selector=Selector.MEASURE), lambda row: row.measure),
    View(Column("grades from"), lambda row: row.judge),
    View(Column("tau_AP", COEFFICIENT, has_interval=True, estimand=OTHER_TOPICS), lambda row: row.tau_ap),
    View(Column("first run"), lambda row: row.first),
    View(Column("as people's"), lambda row: "yes" if row.is_first_same else "no"),
    View(Column("people's loss", ".4f"), lambda row: row.loss),
    View(Column(f"top {TOP}", ".0%"), lambda row: row.top_share),
    View(Column("largest drop", ",d"), lambda row: row.largest_drop),
    View(Column("best runs", ",d"), lambda row: row.group),
    View(Column("people's best runs", ",d"), lambda row: row.of_people),
    View(Column("in both", ",d"), lambda row: row.shared),
)
NOTES = (
    "tau_AP weights errors near the top more. People's loss: people's mean of their first run minus that of "
    f"the judge's first run. Top {TOP}: share of people's first {TOP} runs that are among the judge's. "
    "Largest drop: the most ranks that a run loses. Best runs: the first, and those not told apart from it "
    "(paired t, Holm).",
)


def best_of_order(study: Study) -> Table:
    """A row for each measure and judge with a run that has a value under both."""
    caption = "The best runs under people and under each judge."
    return table_of("order-at-the-top", caption, VIEWS, _rows(study), NOTES)


def _rows(study: Study) -> Iterator[TopRow]:
    for at in range(len(study.measures)):
        for judge in (*study.seconds, *study.judges):
            shared = study.shared_values(at, PEOPLE, judge)
            if shared.runs.size > 1:
                yield _row(study, at, judge, shared)


def _row(study: Study, at: int, judge: int, shared: Shared) -> TopRow:
    people, own = shared.means()
    tags = [study.tags[run] for run in shared.runs]
    truth, best = (best_runs(values, tags) for values in shared.values)
    runs = len(tags)
    return TopRow(
        measure=study.measures[at],
        judge=study.name(judge),
        tau_ap=_tau_ap(study, shared),
        is_first_same=bool(set(truth.first) & set(best.first)),
        top_share=float(top_overlap(TOP)(people[None], own[None])[0]) if runs >= FEWEST_FOR_TOP else None,
        largest_drop=int(largest_drop_of_rows(people[None], own[None])[0])
        if runs >= FEWEST_FOR_DROP
        else None,
        first=tags[best.first[0]],
        group=len(best.group),
        of_people=len(truth.group),
        shared=len(truth.group & best.group),
        loss=float(people.max() - people[best.first[0]]),
    )


def _tau_ap(study: Study, shared: Shared) -> Number:
    people, own = shared.means()
    if min(np.ptp(people), np.ptp(own)) < TIE:
        return Number(None, Reason.ALL_RUNS_EQUAL)
    value = float(tau_ap_a_of_rows(people[None], own[None])[0])
    if np.isnan(value):
        return Number(None, Reason.TIES)
    topics = shared.topics.size
    samples = np.empty(0)
    if topics >= FEWEST_TOPICS:
        samples = tau_ap_a_of_rows(*(study.sampled_means(values) for values in shared.values))
    return Number.of(Estimate.of(value), rank_interval(Estimate.of(value), samples, topics))
