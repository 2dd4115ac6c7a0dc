"""Does each judge order the runs, and the best of them, as people do?"""

import numpy as np

from trackside.findings.order import best_runs
from trackside.findings.results import OrderFinding
from trackside.findings.retrieved import Shared
from trackside.reporting.chance import CHANCE, DRAWS, ChanceMeasure
from trackside.reporting.findings import Findings
from trackside.reporting.sections.parts import (
    COEFFICIENT,
    OTHER_TOPICS,
    compared,
    forest_figure,
    gaps_note,
    number,
    tau_matrix,
)
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Cell, Column, Figure, Section, Selector, Table, table_of
from trackside.statistics.correlation import largest_drop_of_rows, tau_ap_a_of_rows, top_overlap
from trackside.statistics.estimate import Interval, Number, Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.intervals import FEWEST_TOPICS, LEVEL
from trackside.uncertainty.ranks import rank_interval

Named = tuple[str, OrderFinding]
"""One set of grades, by name, against people by one measure."""
COLUMNS = (
    Column("measure", selector=Selector.MEASURE),
    Column("grades from"),
    Column("topics", ",d"),
    Column("runs", ",d"),
    Column("tau", COEFFICIENT, has_interval=True, estimand=OTHER_TOPICS),
    Column("tau, other teams", COEFFICIENT, has_interval=True, estimand="with other teams' runs"),
    Column("rho", COEFFICIENT),
    Column("r", COEFFICIENT),
    Column("pairs told apart", ",d"),
    Column("kept", ",d"),
    Column("reversed", ",d"),
    Column("undecided", ",d"),
    Column("of them other sign", ",d"),
    Column("added", ",d"),
)
NOTES = (
    "tau: Kendall's tau-b of the runs' means, on the pairs that people and the judge graded. Its 95 % "
    "interval is for other topics with these runs. Pairs of runs told apart: by people (paired t over "
    "topics, Holm over all pairs). Reversed: told apart by the judge, the other way. Undecided: not told "
    "apart by the judge, and how many of them have the other sign. Added: told apart by the judge alone. By "
    f"chance: the mean of {DRAWS} draws of the judges' grades at random.",
)
TOP = 5
FEWEST_FOR_TOP, FEWEST_FOR_DROP = TOP + 1, 4  # runs; with fewer, the number has no meaning

TOP_COLUMNS = (
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
TOP_NOTES = (
    "tau_AP weights errors near the top more. People's loss: people's mean of their first run minus that of "
    f"the judge's first run. Top {TOP}: share of people's first {TOP} runs that are among the judge's. "
    "Largest drop: the most ranks that a run loses. Best runs: the first, and those not told apart from it "
    "(paired t, Holm).",
)


def order_section(study: Study, findings: Findings) -> Section | None:
    """Tau and pairs of runs, the order at the top, and tau of judges with each other."""
    rows = [(graded.name, order) for graded in compared(findings) for order in graded.orders]
    if not rows:
        return None
    chance = findings.chance.measures if findings.chance else {}
    cells = [_cells(*row) for row in rows] + [_by_chance(*row) for row in chance.items()]
    ordered = sorted(cells, key=lambda row: study.measures.index(str(row[0])))
    caption = "Order of the runs by each judge and by people."
    tables = (
        table_of("order", caption, COLUMNS, ordered, NOTES),
        _best_of_order(study),
        tau_matrix(study),
    )
    gaps = gaps_note(findings)
    figures = tuple(_figure(study, measure, rows, gaps) for measure in study.measures)
    return Section("order", "Order of the runs", (), tables, figures)


def _cells(name: str, order: OrderFinding) -> tuple[Cell, ...]:
    pairs, other = order.pairs, order.other_runs
    return (
        order.measure,
        name,
        order.topic_count,
        order.run_count,
        _tau(order),
        number(order.tau, other.low, other.high, other.reason or order.reason),
        number(order.rho, reason=order.reason),
        number(order.r, reason=order.reason),
        *(
            (pairs.told, pairs.kept, pairs.reversed, pairs.missed, pairs.leaning, pairs.added)
            if pairs
            else (None,) * 6
        ),
    )


def _by_chance(measure: str, chance: ChanceMeasure) -> tuple[Cell, ...]:
    return (measure, CHANCE, None, None, chance.tau, None, chance.rho, chance.r, *(None,) * 6)


def _tau(order: OrderFinding) -> Number:
    return number(order.tau, order.low, order.high, order.reason)


def _figure(study: Study, measure: str, rows: list[Named], gaps: str) -> Figure:
    series = study.series
    return forest_figure(
        "tau",
        [(name, series[name], _tau(order)) for name, order in rows if order.measure == measure],
        COEFFICIENT,
        title=f"tau of each judge with people by {measure}",
        axis="tau with people",
        caption=f"95 % interval for other topics. A hollow mark has no interval.{gaps}",
        table="order",
        measure=measure,
    )


def _best_of_order(study: Study) -> Table:
    """A row for each measure and judge with a run that has a value under both."""
    rows = (
        (study.measures[index], study.name(judge), *_top_cells(study, shared))
        for index in range(len(study.measures))
        for judge in (*study.seconds, *study.judges)
        if (shared := study.shared_values(index, PEOPLE, judge)).runs.size > 1
    )
    caption = "The best runs under people and under each judge."
    return table_of("order-at-the-top", caption, TOP_COLUMNS, rows, TOP_NOTES)


def _top_cells(study: Study, shared: Shared) -> tuple[Cell, ...]:
    people, judge = shared.means()
    tags = [study.tags[run] for run in shared.runs]
    truth, best = (best_runs(values, tags) for values in shared.values)
    return (
        _tau_ap(study, shared),
        tags[best.first[0]],
        "yes" if set(truth.first) & set(best.first) else "no",
        float(people.max() - people[best.first[0]]),
        float(top_overlap(TOP)(people[None], judge[None])[0]) if len(tags) >= FEWEST_FOR_TOP else None,
        int(largest_drop_of_rows(people[None], judge[None])[0]) if len(tags) >= FEWEST_FOR_DROP else None,
        len(best.group),
        len(truth.group),
        len(truth.group & best.group),
    )


def _tau_ap(study: Study, shared: Shared) -> Number:
    people, judge = shared.means()
    if min(np.ptp(people), np.ptp(judge)) < TIE:
        return Number(None, Reason.ALL_RUNS_EQUAL)
    value = float(tau_ap_a_of_rows(people[None], judge[None])[0])
    if np.isnan(value):
        return Number(None, Reason.TIES)
    topics = shared.topics.size
    samples = np.empty(0)
    if len(people) == 2:
        return Number(value, None, Interval.undefined(Reason.TWO_RUNS, LEVEL))
    if topics >= FEWEST_TOPICS:
        samples = tau_ap_a_of_rows(*(study.sampled_means(values) for values in shared.values))
    return Number(value, None, rank_interval(value, samples, topics))
