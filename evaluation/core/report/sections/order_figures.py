"""Figures of rankings for each measure: a scatter for each judge, and a bump chart of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.axes import padded_range
from evaluation.core.figures.bump import bump
from evaluation.core.figures.scatter import RunPoint, scatter
from evaluation.core.figures.svg import bump_svg, family_key, scatter_svg
from evaluation.core.report.findings import Figure, slug
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.ranks import run_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.study import Study


def order_figures(study: Study) -> Iterator[Figure]:
    """Yield the figures; scatters share their axes, and all figures the colours and shapes of families."""
    key = family_key(study.families, study.series.values())
    for at, measure in enumerate(study.measures):
        panels = {judge: _points(study, at, judge) for judge in study.others}
        both = padded_range(
            value for points in panels.values() for each in points for value in (each.across, each.up)
        )
        for judge, points in panels.items():
            name, title = (
                slug("scatter", study.name(judge), measure=measure),
                f"People against {study.name(judge)}",
            )
            svg = scatter_svg(
                scatter(points, across=both, up=both),
                name=name,
                title=title,
                desc=f"Mean {measure} of {len(points)} runs; the values are in the table of means.",
                axes=("people", study.name(judge)),
                key=key,
            )
            yield Figure(name, title, f"Mean {measure} of each run; dashed: equal.", svg, "means", measure)
        yield from _bump(study, at)


def _bump(study: Study, at: int) -> Iterator[Figure]:
    measure = study.measures[at]
    means = np.array([study.means(place, at) for place in range(len(study.sets))])
    missing = np.isnan(means).any(axis=0)
    tags = [tag for tag, is_missing in zip(study.tags, missing, strict=True) if not is_missing]
    if not tags:
        return
    ranks = {
        study.name(place): run_ranks({tag: row[study.tags.index(tag)] for tag in tags})
        for place, row in enumerate(means)
    }
    name, title = slug("ranks", measure=measure), "Rank of each run under people and each judge"
    series = {tag: study.series[tag] for tag in tags}
    desc = f"Ranks of {len(tags)} runs by mean {measure}; they are in the table of means."
    svg = bump_svg(
        bump(ranks, series),
        name=name,
        title=title,
        desc=desc,
        key=family_key(study.families, study.series.values()),
    )
    yield Figure(name, title, f"By mean {measure}.", svg, "means", measure, is_wide=True)


def _points(study: Study, at: int, judge: int) -> list[RunPoint]:
    shared = study.shared_values(at, PEOPLE, judge)
    means = shared.means()
    tags = [study.tags[run] for run in shared.runs]
    return [
        RunPoint(tag, study.series[tag], float(x), float(y))
        for tag, x, y in zip(tags, means[0], means[1], strict=True)
    ]
