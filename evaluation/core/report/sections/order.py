"""Does each judge order these runs as people do?"""

from dataclasses import dataclass

from evaluation.core.figures.svg.forest import forest_svg
from evaluation.core.findings.results import OrderFinding, RunPairs
from evaluation.core.report.findings import Findings
from evaluation.core.report.focus import series_of
from evaluation.core.report.sections.best_of_order import best_of_order
from evaluation.core.report.sections.matrices import tau_matrix
from evaluation.core.report.sections.parts import COEFFICIENT, OTHER_TOPICS, compared, forest_row, number
from evaluation.core.report.study import Study
from evaluation.core.report.tables import (
    Column,
    Figure,
    Number,
    Section,
    Selector,
    Table,
    View,
    slug,
    table_of,
)
from evaluation.core.report.views.sentences import order_words, other_runs_words, pairs_words


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One set of grades against people, by one measure."""

    name: str
    order: OrderFinding

    @property
    def tau(self) -> Number:
        """Tau with its interval over topics."""
        return number(self.order.tau, self.order.low, self.order.high, self.order.reason)

    @property
    def pairs(self) -> RunPairs | None:
        """What becomes of the pairs of runs that people tell apart."""
        return self.order.pairs

    @property
    def other_teams(self) -> Number:
        """Tau with its interval over teams."""
        other = self.order.other_runs
        return number(self.order.tau, other.low, other.high, other.reason or self.order.reason)


VIEWS: tuple[View[OrderRow], ...] = (
    View(Column("measure", selector=Selector.MEASURE), lambda row: row.order.measure),
    View(Column("grades from"), lambda row: row.name),
    View(Column("topics", ",d"), lambda row: row.order.topic_count),
    View(Column("runs", ",d"), lambda row: row.order.run_count),
    View(Column("tau", COEFFICIENT, has_interval=True, estimand=OTHER_TOPICS), lambda row: row.tau),
    View(
        Column("tau, other teams", COEFFICIENT, has_interval=True, estimand="with other teams' runs"),
        lambda row: row.other_teams,
    ),
    View(Column("rho", COEFFICIENT), lambda row: number(row.order.rho, reason=row.order.reason)),
    View(Column("r", COEFFICIENT), lambda row: number(row.order.r, reason=row.order.reason)),
    View(Column("pairs told apart", ",d"), lambda row: row.pairs.told if row.pairs else None),
    View(Column("kept", ",d"), lambda row: row.pairs.kept if row.pairs else None),
    View(Column("reversed", ",d"), lambda row: row.pairs.reversed if row.pairs else None),
    View(Column("undecided", ",d"), lambda row: row.pairs.missed if row.pairs else None),
    View(Column("added", ",d"), lambda row: row.pairs.added if row.pairs else None),
    View(Column("verdict"), lambda row: row.order.verdict.replace("_", " ")),
)
NOTES = (
    "tau: Kendall's tau-b of the runs' means, on the pairs that people and the judge graded. Its 95 % "
    "interval is for other topics with these runs; the verdict follows from its ends. Pairs told apart: "
    "by people (paired t over topics, Holm over all pairs of runs). Reversed: told apart by the judge, the "
    "other way. Undecided: not told apart by the judge. Added: told apart by the judge alone.",
)


def order_section(study: Study, findings: Findings) -> Section | None:
    """Tau and pairs of runs, the order at the top, and tau of judges with each other."""
    rows = [OrderRow(each.name, order) for each in compared(findings) for order in each.orders]
    if not rows:
        return None
    tables = (_order_table(study, rows), best_of_order(study), tau_matrix(study, findings))
    figures = tuple(_figure(study, measure, rows) for measure in study.measures)
    return Section("order", "Order of the runs", _sentences(study, findings), tables, figures)


def _order_table(study: Study, rows: list[OrderRow]) -> Table:
    ordered = sorted(rows, key=lambda row: study.measures.index(row.order.measure))
    return table_of("order", "Order of the runs by each judge and by people.", VIEWS, ordered, NOTES)


def _sentences(study: Study, findings: Findings) -> tuple[str, ...]:
    """The order by the first measure: of the judge nearest to people, and of other teams' runs."""
    nearest = _nearest(study.measures[0], [OrderRow(each.name, each.orders[0]) for each in findings.judges])
    if nearest is None:
        return ()
    phrases = (order_words(nearest.order), pairs_words(nearest.order))
    words = "; ".join(phrase for phrase in phrases if phrase)
    return (
        f"By {study.measures[0]}, {nearest.name} {words}.",
        f"{other_runs_words(nearest.order.other_runs)}.",
    )


def _nearest(measure: str, rows: list[OrderRow]) -> OrderRow | None:
    """The row with the highest tau, of those with an interval if any has one."""
    known = [row for row in rows if row.order.measure == measure and row.order.tau is not None]
    return max(known, key=lambda row: (row.order.low is not None, row.order.tau), default=None)


def _figure(study: Study, measure: str, rows: list[OrderRow]) -> Figure:
    series = series_of(study)
    chosen = [row for row in rows if row.order.measure == measure]
    nearest = _nearest(measure, chosen)
    title = f"{nearest.name} {order_words(nearest.order)}" if nearest else "No tau with people is defined"
    name = slug("tau", measure=measure)
    svg = forest_svg(
        [forest_row(row.name, series[row.name], row.tau, COEFFICIENT) for row in chosen],
        name=name,
        title=title,
        desc=f"tau by {measure} of each judge with people; the values are in the table.",
        axis="tau with people",
    )
    caption = f"tau by {measure} with people, 95 % interval for other topics. A hollow mark has no interval."
    return Figure(name, title, caption, svg, "order", measure)
