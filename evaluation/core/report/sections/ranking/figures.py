"""Figures of rankings for each measure: a scatter for each judge, and a bump chart of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.axes import padded_range
from evaluation.core.figures.bump import bump
from evaluation.core.figures.scatter import RunPoint, scatter
from evaluation.core.figures.svg.charts import bump_svg, family_key, scatter_svg
from evaluation.core.figures.svg.judge_charts import focus_key
from evaluation.core.report.tables import Column, Figure, Number, slug
from evaluation.core.report.focus import classes_of, focus_family
from evaluation.core.report.rank_columns import rank_columns
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.tables import Table
    from evaluation.core.report.study import Study

TAU = Column("tau", "z.2f")


def order_figures(study: Study, order: Table) -> Iterator[Figure]:
    """Yield the figures; scatters share their axes. Titles say the coefficients of the table of orders."""
    focus = focus_family(study)
    classes = classes_of(study)
    for at, measure in enumerate(study.measures):
        yield _bump(study, at, focus)
        panels = {judge: _points(study, at, judge, focus, classes[judge]) for judge in study.others}
        both = padded_range(
            value for points in panels.values() for each in points for value in (each.across, each.up)
        )
        for judge, points in panels.items():
            name = slug("scatter", study.name(judge), measure=measure)
            title = f"{study.name(judge)} and people: {_tau_words(order, measure, study.name(judge))}"
            svg = scatter_svg(
                scatter(points, across=both, up=both),
                name=name,
                title=title,
                desc=f"Mean {measure} of {len(points)} runs; the values are in the table of means.",
                axes=(f"people, mean {measure}", f"{study.name(judge)}, mean {measure}"),
                key=focus_key(classes[judge], focus, (point.is_filled for point in points)),
            )
            yield Figure(name, title, f"Mean {measure} of each run; dashed: equal.", svg, "means", measure)


def _tau_words(order: Table, measure: str, judge: str) -> str:
    tau = (order.record(measure=measure, judge=judge) or {}).get("tau")
    return f"tau {TAU.text(Number(tau.value, tau.reason))}" if isinstance(tau, Number) else "not compared"


def _bump(study: Study, at: int, focus: str) -> Figure:
    measure = study.measures[at]
    columns = rank_columns(study, at)
    chart = bump(columns.ranks, columns.series, columns.focus(study, focus))
    name, title = slug("ranks", measure=measure), columns.title(study, focus)
    desc = f"Ranks of {len(columns.tags)} runs by mean {measure}; they are in the table of means."
    key = family_key(focus, {line.series for line in chart.lines})
    svg = bump_svg(chart, name=name, title=title, desc=desc, key=key)
    return Figure(name, title, f"By mean {measure}.", svg, "means", measure, is_wide=True)


def _points(study: Study, at: int, judge: int, focus: str, series: str) -> list[RunPoint]:
    shared = study.shared_values(at, PEOPLE, judge)
    means = shared.means()
    is_in = study.in_family(focus) if focus else np.ones(len(study.runs), dtype=np.bool_)
    return [
        RunPoint(study.tags[run], series, bool(is_in[run]), float(x), float(y))
        for run, x, y in zip(shared.runs, means[0], means[1], strict=True)
    ]
