"""Figures 1 to 3 in the layout of the track paper: runs by judges, scores, grades by people's grade."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.axes import Frame
from evaluation.core.figures.distribution import distribution
from evaluation.core.figures.judges.scatter import judge_scatter
from evaluation.core.figures.judges.stacks import stacks
from evaluation.core.figures.svg.judge_charts import cumulative_svg, judge_scatter_svg, stacks_svg
from evaluation.core.report.figure_titles import lifted_title, scores_title
from evaluation.core.report.tables import Column, Figure, Table, slug
from evaluation.core.report.focus import classes_of, focus_family, named_judges
from evaluation.core.report.sections.summary.first_figures import judged_runs, order_title
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats
    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

WIDE = Frame(width=560, height=320, left=44, right=536, top=20, bottom=282)
QUANTILES = {"q10": 0.1, "q25": 0.25, "median": 0.5, "q75": 0.75, "q90": 0.9}
SCORE, GRADE = "raw score", "grade"


def paper_figures(study: Study, findings: Findings, scores: Table) -> Iterator[Figure]:
    """Yield Figure 1 for each measure, then Figures 2 and 3."""
    for at in range(len(study.measures)):
        yield from _runs(study, at, findings)
    yield from _cumulative(study, scores)
    yield from _grades(study, findings)


def _runs(study: Study, at: int, findings: Findings) -> Iterator[Figure]:
    measure, focus = study.measures[at], focus_family(study)
    points = judged_runs(study, at, focus)
    if not points:
        return
    records = _orders(study, measure, findings)
    name, title = slug("paper-1", measure=measure), order_title(study, records)
    svg = judge_scatter_svg(
        judge_scatter(points),
        name=name,
        title=title,
        desc=f"One mark per run and judge, {len(points)} in all; the values are in the table of means.",
        axes=(f"{measure} by people", f"{measure} by the judge"),
        focus=focus,
    )
    filled = f"Filled: {focus} runs; hollow: other. " if focus else ""
    caption = (
        f"Figure 1 of the paper: mean {measure} of each run. {filled}Lines fitted to each judge's runs; "
        "dashed: equal. People's mean is on the topics and items that the judge graded, too."
    )
    yield Figure(name, title, caption, svg, "means", measure, is_wide=True)


def _orders(study: Study, measure: str, findings: Findings) -> list[dict[str, Cell]]:
    """Return the records of the table of orders, as titles need them: with kind and order of each judge."""
    order = findings.table("order")
    kinds = {each.name: str(each.facts.get("kind", "")) for each in study.sets}
    records = order.where(measure=measure).records() if order else ()
    return [each | {"kind": kinds[str(each["judge"])], "order": each["verdict"]} for each in records]


def scaled_scores(study: Study, place: int) -> tuple[str, Floats, tuple[float, float]]:
    """Raw scores of a set on the items that people graded, or its grades if it has no raw scores.

    Scaled so that the lowest is 0 and the highest 1; grades by the ends of the scale. Returns the kind, the
    scaled values and both unscaled ends.
    """
    graded = study.grades[PEOPLE] >= 0
    raw = study.raw_scores[place][graded]
    raw = raw[~np.isnan(raw)]
    if raw.size:
        ends = float(raw.min()), float(raw.max())
        return SCORE, _scaled(raw, ends), ends
    given = study.grades[place][graded]
    ends = float(study.design.scale[0]), float(study.design.scale[-1])
    return GRADE, _scaled(given[given >= 0].astype(np.float64), ends), ends


def _scaled(values: Floats, ends: tuple[float, float]) -> Floats:
    low, high = ends
    scaled: Floats = (values - low) / (high - low) if high > low else np.zeros(values.size)
    return scaled


def distributions(study: Study) -> Table:
    """Quantiles of the raw scores or grades of each set, scaled to 0 to 1."""
    columns = (
        Column("qrels"),
        Column("what"),
        Column("items", ",d"),
        Column("least", ".4g"),
        Column("most", ".4g"),
        *(Column(f"{name}, scaled", ".2f") for name in QUANTILES),
    )
    rows: list[tuple[Cell, ...]] = []
    for place in range(len(study.sets)):
        what, scaled, ends = scaled_scores(study, place)
        found = np.quantile(scaled, list(QUANTILES.values())).tolist() if scaled.size else [None] * 5
        rows.append((study.name(place), what, scaled.size, *(ends if scaled.size else (None, None)), *found))
    notes = (
        "On the items that people graded. Raw scores are scaled by their own least and most, grades by the "
        "ends of the scale. “least” and “most” are before scaling.",
    )
    return Table("score-distributions", "Scores of people and judges, scaled.", columns, tuple(rows), notes)


def _cumulative(study: Study, table: Table) -> Iterator[Figure]:
    groups = {study.name(place): scaled_scores(study, place)[1] for place in range(len(study.sets))}
    classes = dict(zip(groups, classes_of(study), strict=True))
    name, title = "paper-2", scores_title(table, study.name(PEOPLE), named_judges(study))
    svg = cumulative_svg(
        distribution(groups, across=(0.0, 1.0), frame=WIDE),
        classes,
        name=name,
        title=title,
        desc="Cumulative share of items, one line per set of qrels; quantiles are in the table.",
        axis="score, scaled",
    )
    caption = (
        "Figure 2 of the paper: share of the items with at most this score, scaled to 0 to 1. Raw scores of "
        "judges that have them, else grades; people's grades climb in steps."
    )
    yield Figure(name, title, caption, svg, table.name, is_wide=True)


def _grades(study: Study, findings: Findings) -> Iterator[Figure]:
    """Shares of the judges' grades, from the rows of the table of confusion."""
    table = findings.table("confusion")
    scale = study.design.scale
    groups = []
    for judge in study.others:
        bars = []
        for record in table.where(judge=study.name(judge)).records() if table else ():
            shares = [record[f"judge {grade}, of row"] for grade in scale]
            known = [share for share in shares if isinstance(share, float)]
            name = f"{study.name(judge)}, people {record['people']}"
            bars.append((name, classes_of(study)[judge], known if len(known) == len(scale) else None))
        if bars:
            groups.append(bars)
    if not groups:
        return
    title = lifted_title(table, scale, named_judges(study)) if table else ""
    svg = stacks_svg(
        stacks(groups, scale),
        name="paper-3",
        title=title,
        desc="One bar per judge and people's grade; a darker part is a higher grade of the judge.",
        axis="share of the items",
    )
    caption = (
        "Instead of the paper's Figure 3: shares of the judge's grades within each of people's grades. "
        f"Lightest: grade {scale[0]}, darkest: grade {scale[-1]}."
    )
    yield Figure("paper-3", title, caption, svg, "confusion", is_wide=True)
