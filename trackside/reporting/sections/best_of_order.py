"""The order at the top: tau_AP, the first runs, and the best runs under people and under each judge."""

import numpy as np

from trackside.findings.shared_values import Shared
from trackside.reporting.best_runs import best_runs
from trackside.reporting.sections.parts import COEFFICIENT, OTHER_TOPICS
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Cell, Column, Selector, Table, table_of
from trackside.statistics.correlation import (
    largest_drop_of_rows,
    tau_ap_a_of_rows,
    top_overlap,
)
from trackside.statistics.estimate import Estimate, Number, Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.ends import FEWEST_TOPICS
from trackside.uncertainty.ranks import rank_interval

TOP = 5
FEWEST_FOR_TOP, FEWEST_FOR_DROP = TOP + 1, 4  # of fewer runs, the number says nothing


COLUMNS = (
    Column("measure", selector=Selector.MEASURE),
    Column("grades from"),
    Column("tau_AP", COEFFICIENT, has_interval=True, estimand=OTHER_TOPICS),
    Column("first run"),
    Column("as people's"),
    Column("people's loss", ".4f"),
    Column(f"top {TOP}", ".0%"),
    Column("largest drop", ",d"),
    Column("best runs", ",d"),
    Column("people's best runs", ",d"),
    Column("in both", ",d"),
)
NOTES = (
    "tau_AP weights errors near the top more. People's loss: people's mean of their first run minus that of "
    f"the judge's first run. Top {TOP}: share of people's first {TOP} runs that are among the judge's. "
    "Largest drop: the most ranks that a run loses. Best runs: the first, and those not told apart from it "
    "(paired t, Holm).",
)


def best_of_order(study: Study) -> Table:
    """A row for each measure and judge with a run that has a value under both."""
    rows = (
        (study.measures[at], study.name(judge), *_cells(study, shared))
        for at in range(len(study.measures))
        for judge in (*study.seconds, *study.judges)
        if (shared := study.shared_values(at, PEOPLE, judge)).runs.size > 1
    )
    caption = "The best runs under people and under each judge."
    return table_of("order-at-the-top", caption, COLUMNS, rows, NOTES)


def _cells(study: Study, shared: Shared) -> tuple[Cell, ...]:
    people, own = shared.means()
    tags = [study.tags[run] for run in shared.runs]
    truth, best = (best_runs(values, tags) for values in shared.values)
    return (
        _tau_ap(study, shared),
        tags[best.first[0]],
        "yes" if set(truth.first) & set(best.first) else "no",
        float(people.max() - people[best.first[0]]),
        float(top_overlap(TOP)(people[None], own[None])[0]) if len(tags) >= FEWEST_FOR_TOP else None,
        int(largest_drop_of_rows(people[None], own[None])[0]) if len(tags) >= FEWEST_FOR_DROP else None,
        len(best.group),
        len(truth.group),
        len(truth.group & best.group),
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
