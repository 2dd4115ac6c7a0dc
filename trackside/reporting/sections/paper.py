"""Tables 2 and 3 and Figures 1 to 3 in the layout of the track paper of 2024.

Source: "Toward Automatic Relevance Judgment using Vision-Language Models for Image-Text Retrieval
Evaluation" (2024). The numbers are those of the findings.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

import numpy as np

from trackside.figures.axes import Frame
from trackside.figures.svg.bars import NamedShares, stacks_svg
from trackside.figures.svg.charts import cumulative_svg
from trackside.figures.svg.panels import NamedPanel, PanelRun, panels_svg
from trackside.findings.results import OrderFinding
from trackside.measuring import parse_measure
from trackside.reporting.chance import CHANCE, DRAWS, ChanceMeasure
from trackside.reporting.findings import Findings, ReportFacts
from trackside.reporting.questions import confusions
from trackside.reporting.sections.grades import confusion_rows, shares_of
from trackside.reporting.sections.parts import COEFFICIENT, POINTS, compared, gaps_note, scaled_scores
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Column, Figure, Section, Selector, Table, slug, table_of
from trackside.reporting.views.sentences import coefficient
from trackside.statistics.agreement import kappa_of_matrix

WIDE = Frame(width=560, height=320, left=44, right=536, top=20, bottom=282)


def paper_section(study: Study, findings: Findings) -> Section | None:
    """The paper's tables and figures."""
    if not compared(findings):
        return None
    measures = paper_measures(study)
    note = f"{CHANCE}: the mean of {DRAWS} draws of the judges' grades at random."
    says = (note,) if findings.chance else ()
    tables = (_orders(study, findings, measures), _deltas(study, findings, measures))
    figures = (*(_runs(study, findings, measure) for measure in measures), *_scores_and_grades(study))
    return Section("paper", "As in the track paper", says, tables, figures)


def paper_measures(study: Study) -> tuple[str, ...]:
    """The paper's measures, nDCG@10 and AP at the report's level, or else the report's first two."""
    candidates = [
        measure
        for measure in study.measures
        if measure == "nDCG@10" or parse_measure(measure).family.name == "AP"
    ]
    ordered = sorted(candidates, key=lambda measure: measure != "nDCG@10")
    return tuple(ordered[:2]) if len(candidates) > 1 else study.measures[:2]


def _orders(study: Study, findings: Findings, measures: tuple[str, ...]) -> Table:
    columns = (
        Column("grades from"),
        *(Column(f"{measure}, {name}", COEFFICIENT) for measure in measures for name in ("tau", "rho", "r")),
        Column("kappa", COEFFICIENT),
    )
    rows = [
        _coefficients(graded.name, [graded.order(measure) for measure in measures], graded.grades.kappa)
        for graded in compared(findings)
    ]
    if chance := findings.chance:
        kappa = kappa_of_matrix(np.array(chance.matrix), study.design.scale).value
        rows.append(_coefficients(CHANCE, [chance.measures[measure] for measure in measures], kappa))
    caption = "Table 2 of the paper: order of the runs and grades, against people."
    return table_of("paper-table-2", caption, columns, rows)


def _coefficients(
    name: str, orders: Sequence[OrderFinding | ChanceMeasure], kappa: float | None
) -> list[str | float | None]:
    return [name, *(value for order in orders for value in (order.tau, order.rho, order.r)), kappa]


def _deltas(study: Study, findings: Findings, measures: tuple[str, ...]) -> Table:
    columns = (
        Column("family", selector=Selector.FAMILY),
        Column("grades from"),
        *(Column(f"Delta {measure}, %", POINTS) for measure in measures),
    )
    rows = (
        (family, *row) for family in study.families for row in _delta_rows(study, findings, family, measures)
    )
    notes = (
        "Relative Delta: 2 (mean of the family − mean of the others) / (sum of both). It is not a favour: a "
        "lenient judge lifts the weaker family. People: on the pairs of the first judge.",
    )
    return table_of("paper-table-3", "Table 3 of the paper: Relative Delta.", columns, rows, notes)


def _delta_rows(
    study: Study, findings: Findings, family: str, measures: tuple[str, ...]
) -> Iterator[tuple[str | float | None, ...]]:
    """Relative Delta of one family by each judge, by chance, and by people."""
    rows = [
        (judge.name, [judge.family(measure, family) for measure in measures]) for judge in findings.judges
    ]
    for name, by_measure in rows:
        yield name, *(finding.judge_delta if finding else None for finding in by_measure)
    if chance := findings.chance:
        yield CHANCE, *(chance.measures[measure].deltas.get(family) for measure in measures)
    if rows:
        yield study.name(PEOPLE), *(finding.people_delta if finding else None for finding in rows[0][1])


def _runs(study: Study, findings: Findings, measure: str) -> Figure:
    """Figure 1: a panel for each judge, best runs by people's grades."""
    focus, series = next(iter(study.families), None), study.series
    panels = []
    for graded in findings.judges or findings.yardsticks:
        order = graded.order(measure)
        tau = "" if order.tau is None else f": tau {coefficient(order.tau)}"
        panels.append(
            NamedPanel(f"{graded.name}{tau}", series[graded.name], panel_runs(findings.facts, order, focus))
        )
    name, title = slug("paper-1", measure=measure), f"Mean {measure} of the runs by people and by each judge"
    svg = panels_svg(
        panels,
        name=name,
        title=title,
        desc="A mark for each run in the panel of each judge; the values are in the table of means.",
        measure=measure,
        focus=focus,
    )
    caption = "Figure 1 of the paper: a mark for each run, on the pairs of people and judge; dashed: equal."
    caption += gaps_note(findings)
    return Figure(name, title, caption, svg, "means", measure)


def _scores_and_grades(study: Study) -> Iterator[Figure]:
    """Figures 2 and 3: cumulative scores, and grades by people's grade."""
    groups = {graded.name: scaled_scores(study, index).values for index, graded in enumerate(study.sets)}
    title = "Scores of people and of each judge, scaled to 0 to 1"
    svg = cumulative_svg(
        groups,
        study.series,
        name="paper-2",
        title=title,
        desc="Cumulative share of pairs, one line per set of qrels; quartiles are in the table.",
        axis="score, scaled",
        across=(0.0, 1.0),
        frame=WIDE,
    )
    caption = (
        "Figure 2 of the paper: share of the pairs with at most this score, scaled to 0 to 1. Raw scores of "
        "judges that have them, else grades; people's grades climb in steps."
    )
    yield Figure("paper-2", title, caption, svg, "qrels")
    scale, series = study.design.scale, study.series
    rows = {judge: confusion_rows(confusions(study, PEOPLE, judge), scale) for judge in study.judges}
    bars = [
        [
            (f"{study.name(judge)}, people {grade}", series[study.name(judge)], shares_of(counts))
            for grade, counts in of_judge
        ]
        for judge, of_judge in rows.items()
        if of_judge
    ]
    if bars:
        yield _grades(bars, scale)


def _grades(groups: Sequence[Sequence[NamedShares]], scale: tuple[int, ...]) -> Figure:
    """A bar for each judge and people's grade, with the shares of the judge's grades."""
    title = "Grades of each judge for the pairs with each of people's grades"
    svg = stacks_svg(
        groups,
        scale,
        name="paper-3",
        title=title,
        desc="One bar per judge and people's grade; a darker part is a higher grade of the judge.",
        axis="share of the pairs",
    )
    caption = (
        "Instead of the paper's Figure 3: shares of the judge's grades within each of people's grades. "
        f"Lightest: grade {scale[0]}, darkest: grade {scale[-1]}."
    )
    return Figure("paper-3", title, caption, svg, "confusion")


MOST_RUNS = 48  # in a panel


def panel_runs(facts: ReportFacts, order: OrderFinding, family: str | None) -> list[PanelRun]:
    """The runs with both means; of many, the best by people, as many of the family as of the others."""
    runs = [
        PanelRun(run.tag, across, up, family in run.families)
        for run, across, up in zip(facts.runs, order.people_means, order.judge_means, strict=True)
        if across is not None and up is not None
    ]
    best = sorted(runs, key=lambda run: -run.across)
    sides = ([run for run in best if run.is_in_focus == is_in] for is_in in (True, False))
    in_turn = chain.from_iterable(zip_longest(*sides))
    return [run for run in in_turn if run][:MOST_RUNS]
