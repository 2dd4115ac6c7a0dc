"""How few topics need people: each run's mean estimated from all model grades and some human topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.correlation import kendall_tau_b_of_rows
from evaluation.core.correlation_rows import in_blocks
from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg import lines_svg
from evaluation.core.prediction_powered import LEAST, plain_means, powered_means
from evaluation.core.report.content import Column, Figure, Section, Table, slug
from evaluation.core.report.sections.saving_items import saving_by_items, width_lines
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.content import Cell
    from evaluation.core.report.study import Shared, Study

SIZES = (5, 10, 15, 20, 30, 40, 50, 75, 100, 150)
CHOICES = 200  # of topics to grade, drawn for each number of them
STEADY = 0.9  # tau from which two rankings count as equivalent
SHARE = 0.95  # of the choices that must reach it


def saving_section(study: Study) -> Section:
    """A table a measure and judge over the number of graded topics, and where one could stop."""
    rows, says = [], []
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            shared = study.own_values(at, PEOPLE, judge)
            found = list(_curve(study, shared))
            rows += [(measure, study.name(judge), *row) for row in found]
            says.append(_stop(measure, study.name(judge), found, shared.topics.size))
    columns = (
        Column("measure"),
        Column("judge"),
        Column("topics graded", "d"),
        Column("items graded", ",.0f"),
        Column("width with judge", ".4f"),
        Column("width without", ".4f"),
        Column("tau with judge", "z.2f"),
        Column("tau without", "z.2f"),
        Column("choices with tau from 0.9", ".0%"),
    )
    notes = (
        f"Means over {CHOICES} random choices of topics (seed {study.design.seed}) and all runs. Width: of "
        "the 95 % interval of a run's mean over all topics, from people's grades of the chosen topics and "
        "the judge's of all (regression estimator), or from people's alone. Tau: with the ranking by all of "
        "people's grades.",
    )
    caption = "People's grades needed, with and without the judge's help."
    table = Table("saving", caption, columns, tuple(rows), notes)
    estimates = _estimates(study)
    figures = tuple(_figures(study, table)) if rows else ()
    by_items, item_estimates, item_figures, item_says = saving_by_items(study)
    return Section(
        "saving",
        "Less human work",
        (*filter(None, says), *item_says),
        (table, estimates, by_items, item_estimates),
        (*figures, *item_figures),
    )


def _curve(study: Study, shared: Shared) -> Iterator[tuple[Cell, ...]]:
    people, own = shared.values
    total = shared.topics.size
    if total < LEAST or not shared.runs.size:
        return
    full = people.mean(axis=1)
    # People grade all items of a topic, also those that the judge left without a grade.
    by_people = study.topic_of_pair[study.grades[PEOPLE] >= 0]
    items = np.bincount(by_people, minlength=len(study.topics))
    orders = np.random.default_rng(study.design.seed).random((CHOICES, total)).argsort(axis=1)
    for n in (*(size for size in SIZES if LEAST <= size < total), total):
        helped, alone = _estimated(people, own, orders[:, :n])
        taus = [_taus(full, each[0]) for each in (helped, alone)]
        graded = float(items[shared.topics].mean() * n)
        yield (n, graded, helped[1], alone[1], *(_mean(each) for each in taus), _steady(taus[0]))


def _estimated(people: Floats, own: Floats, orders: Ints) -> tuple[tuple[Floats, float], ...]:
    """Estimated means [choice, run] and the mean width of their intervals, with the judge and without."""
    known, guessed, total = people[:, orders], own[:, orders], people.shape[1]
    helped = powered_means(known, guessed, own.mean(axis=1)[:, None], units=total)
    found = (helped, plain_means(known, units=total))
    return tuple((each.estimate.T, float((each.high - each.low).mean())) for each in found)


def _taus(full: Floats, estimates: Floats) -> Floats:
    return in_blocks(kendall_tau_b_of_rows, np.broadcast_to(full, estimates.shape), estimates)


def _mean(taus: Floats) -> float | None:
    known = taus[~np.isnan(taus)]
    return float(known.mean()) if known.size else None


def _steady(taus: Floats) -> float | None:
    known = taus[~np.isnan(taus)]
    return float((known >= STEADY).mean()) if known.size else None


def _stop(measure: str, judge: str, rows: list[tuple[Cell, ...]], total: int) -> str:
    enough = [row[0] for row in rows if isinstance(row[-1], float) and row[-1] >= SHARE]
    if not enough or enough[0] == total:
        return ""
    return (
        f"{measure}, {judge}: {enough[0]} of {total} topics would do; {SHARE:.0%} of such choices order the "
        f"runs as all topics do (tau from {STEADY})."
    )


def _estimates(study: Study) -> Table:
    """Each run by the first ten, twenty and forty topics in one order: what would have been reported."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("topics graded", "d"),
        Column("run"),
        Column("all topics", ".4f"),
        Column("estimate", ".4f"),
        Column("low", ".4f"),
        Column("high", ".4f"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            shared = study.own_values(at, PEOPLE, judge)
            people, own = shared.values
            order = np.random.default_rng(study.design.seed).permutation(shared.topics.size)
            for n in (size for size in (10, 20, 40) if size < shared.topics.size):
                drawn = order[:n]
                found = powered_means(
                    people[:, drawn], own[:, drawn], own.mean(axis=1), units=shared.topics.size
                )
                numbers = zip(people.mean(axis=1), found.estimate, found.low, found.high, strict=True)
                for run, cells in zip(shared.runs, numbers, strict=True):
                    told = (float(cell) for cell in cells)
                    rows.append((measure, study.name(judge), n, study.tags[run], *told))
    caption = "Means estimated from the first topics of one random order."
    return Table("saving-estimates", caption, columns, tuple(rows))


def _figures(study: Study, table: Table) -> Iterator[Figure]:
    for measure in study.measures:
        rows = table.where(measure=measure).rows
        points = width_lines([(str(row[1]), row[2], row[4], row[5]) for row in rows])
        if points:
            name, title = slug("saving", measure), "Width of the interval by topics that people grade"
            desc = f"Mean {measure} of a run; 95 % intervals. The widths are in the table."
            axes = ("topics graded by people", "width")
            svg = lines_svg(lines(points), name=name, title=title, desc=desc, axes=axes)
            yield Figure(name, title, desc, svg, "saving", measure)
