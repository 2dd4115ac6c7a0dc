"""Difference of a judge's mean of a run from people's: mean difference and limits of agreement.

Source: Bland and Altman, Lancet 327 (1986), 307-310.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.judges.bland_altman import bland_altman
from evaluation.core.figures.svg.judge_charts import bland_altman_svg
from evaluation.core.report.figure_titles import difference_title
from evaluation.core.report.tables import Column, Figure, Number, Table, slug
from evaluation.core.report.focus import focus_family, series_of
from evaluation.core.report.resampled import coefficient
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.correlation.rows import COEFFICIENTS
from evaluation.core.statistics.estimate import Estimand, Estimate, Reason
from evaluation.core.uncertainty import difference_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

LIMIT = 1.96  # standard deviations: 95 % of normal differences
FEWEST_RUNS = 3

COLUMNS = (
    Column("measure"),
    Column("judge"),
    Column("runs", ",d"),
    Column("topics", ",d"),
    Column("mean difference", "+z.4f", has_interval=True, estimand=Estimand.NEW_TOPICS.words),
    Column("standard deviation", ".4f", estimand="of the differences of these runs"),
    Column("lower limit", "+z.4f"),
    Column("upper limit", "+z.4f"),
    Column("r with average", "z.2f", estimand="Pearson's r of difference and average over these runs"),
)


def run_differences(study: Study) -> Table:
    """One row for each measure and judge."""
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            shared = study.shared_values(at, PEOPLE, judge)
            size = shared.runs.size, shared.topics.size
            rows.append((measure, study.name(judge), *size, *_cells(shared.values)))
    notes = (
        "Difference: the judge's mean of a run minus people's, on the topics and items of both. Its interval "
        "is that of the mean over these runs, on new topics. Limits of agreement: mean difference ± "
        f"{LIMIT} standard deviations over the runs; they bound the difference on one run. r with average: "
        "above 0 if the judge spreads the runs further apart than people do.",
    )
    return Table("bland-altman", "The judge's means of the runs minus people's.", COLUMNS, tuple(rows), notes)


def _cells(values: Floats) -> list[Cell]:
    people, own = values
    if not people.size:
        return [Number(None, Reason.TOO_FEW if people.shape[1] else Reason.NO_SHARED_TOPIC), *[None] * 4]
    by_topic = (own - people).mean(axis=0)
    difference = Number.of(Estimate.of(by_topic.mean()), difference_intervals(by_topic[None]).interval(0))
    differences = (own - people).mean(axis=1)
    if differences.size < FEWEST_RUNS:
        return [difference, *[Number(None, Reason.TOO_FEW)] * 4]
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    averages = (own.mean(axis=1) + people.mean(axis=1)) / 2
    r = Number.of(coefficient(COEFFICIENTS["r"], averages, differences))
    return [difference, spread, mean - LIMIT * spread, mean + LIMIT * spread, r]


def difference_figures(study: Study, table: Table) -> Iterator[Figure]:
    """One plot for each measure and judge, with the mean and limits of the table as lines."""
    focus, series = focus_family(study), series_of(study)
    for record in table.records():
        if not isinstance(record["lower limit"], float) or not isinstance(record["upper limit"], float):
            continue
        measure, judge = str(record["measure"]), str(record["judge"])
        at = study.measures.index(measure)
        place = next(each for each in study.others if study.name(each) == judge)
        shared = study.shared_values(at, PEOPLE, place)
        people, own = shared.means()
        is_in = study.in_family(focus)[shared.runs] if focus else np.zeros(shared.runs.size, dtype=np.bool_)
        points = [
            (study.tags[run], bool(flag), float((x + y) / 2), float(y - x))
            for run, flag, x, y in zip(shared.runs, is_in, people, own, strict=True)
        ]
        mean = record["mean difference"]
        levels = {"lower limit": record["lower limit"], "upper limit": record["upper limit"]}
        if isinstance(mean, Number) and mean.value is not None:
            levels = {"mean": mean.value} | levels
        name = slug("bland-altman", judge, measure=measure)
        title = difference_title(table, measure, judge)
        svg = bland_altman_svg(
            bland_altman(points, series[judge], levels=levels),
            series[judge],
            name=name,
            title=title,
            desc=f"Differences of mean {measure} of {len(points)} runs against the average of both.",
            axes=(f"average of {judge} and people, {measure}", f"{judge} minus people"),
            focus=focus,
        )
        caption = f"Mean {measure} of each run; dashed: mean difference and limits of agreement."
        yield Figure(name, title, caption, svg, table.name, measure)
