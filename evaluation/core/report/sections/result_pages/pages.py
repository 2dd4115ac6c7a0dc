"""The tables of TREC's result pages: an overview of the runs, each run, each topic, and the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg.charts import lines_svg
from evaluation.core.measures import parse_measure
from evaluation.core.report.figure_titles import precision_title
from evaluation.core.report.tables import Column, Figure, Number, Section, Table
from evaluation.core.report.focus import focus_family
from evaluation.core.report.pool_depths import chosen_notes, contributions, depths_note, pool_depths
from evaluation.core.report.sections.result_pages.means import means_table
from evaluation.core.report.sections.result_pages.top_group import top_group
from evaluation.core.report.shared_values import means_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.comparison.multiplicity import letters, superscripts
from evaluation.core.statistics.estimate import Estimand, Estimate, Reason
from evaluation.core.uncertainty import mean_intervals

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study

RECALLS = tuple(f"{point / 10:.1f}" for point in range(11))
SHOWN = 4  # runs in the figure of the 11 points


def pages_section(study: Study) -> Section:
    """Overview, means, topics, pool and unique items, all under people's qrels."""
    points = _eleven_points(study)
    tables = (
        _overview(study),
        top_group(study),
        means_table(study),
        points,
        _topics(study),
        _runs_by_topic(study),
        _pool(study),
        _uniques(study),
    )
    return Section("runs", "Runs, topics and the pool", (), tables, _figures(study, points))


def _overview(study: Study) -> Table:
    columns = (
        Column("measure"),
        Column("letter"),
        Column("run"),
        Column("team"),
        Column("families"),
        Column("type"),
        Column("best of team"),
        Column("mean", ".4f", has_interval=True, estimand=Estimand.NEW_TOPICS.words),
        Column("better than"),
    )
    nothing = Number(None, Reason.NO_TOPICS)
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        shared = study.shared_values(at, PEOPLE)
        means = shared.means()[0]
        order = sorted(range(means.size), key=lambda place: (-means[place], study.tags[shared.runs[place]]))
        values = shared.values[0][order]
        intervals = mean_intervals(values, bounds=parse_measure(measure).bounds).intervals
        ranked = [study.runs[shared.runs[place]] for place in order]
        better = _better(study, [run.tag for run in ranked], shared, order)
        seen: set[str] = set()
        for place, (run, letter) in enumerate(zip(ranked, letters(len(ranked)), strict=True)):
            is_best = (run.team or run.tag) not in seen  # a run without a team is its own team
            seen.add(run.team or run.tag)
            mean = Number.of(Estimate.of(means[order[place]]), intervals[place])
            families = ", ".join(run.families)
            row = (measure, letter, run.tag, run.team, families, run.type, "best" if is_best else "", mean)
            rows.append((*row, better[run.tag]))
        rows += [
            (measure, "", run.tag, run.team, ", ".join(run.families), run.type, "", nothing, "")
            for place, run in enumerate(study.runs)
            if place not in shared.runs
        ]
    notes = (
        f"Letters: significantly better than these runs, randomised Tukey HSD at {study.design.alpha}. "
        "Intervals of the means: 95 %, over topics.",
    )
    return Table("overview", "The runs, best first.", columns, tuple(rows), notes)


def _better(study: Study, tags: list[str], shared: Shared, order: list[int]) -> dict[str, str]:
    """Letters of the runs that each run beats significantly; ``tags`` are of the runs in this order."""
    if len(tags) < 2 or shared.topics.size < 2:
        return dict.fromkeys(tags, "")
    found = study.tukey(shared.values[0]).is_significant(study.design.alpha)
    place = np.argsort(order)
    pairs = place[np.array(np.triu_indices(len(tags), k=1))[:, found]]
    better, worse = pairs.min(axis=0).tolist(), pairs.max(axis=0).tolist()
    return superscripts(tags, {(tags[i], tags[j]): True for i, j in zip(better, worse, strict=True)})


def _eleven_points(study: Study) -> Table:
    names = [str(parse_measure(f"IPrec@{point}").at_level(study.design.level)) for point in RECALLS]
    columns = (Column("run"), *(Column(point, ".4f") for point in RECALLS))
    graded = study.judgments(study.grades[PEOPLE])
    rows: list[tuple[Cell, ...]] = []
    for run, found in zip(study.runs, study.retrieved, strict=True):
        means = means_of(graded.values(found, names)[:, study.is_judged[PEOPLE]])
        rows.append((run.tag, *(None if np.isnan(mean) else float(mean) for mean in means)))
    return Table("eleven-points", "Interpolated precision at eleven levels of recall.", columns, tuple(rows))


def _figures(study: Study, points: Table) -> tuple[Figure, ...]:
    """Figure of the runs with the highest precision over all points; the table has all runs."""
    known = [row for row in points.rows if None not in row]
    best = sorted(known, key=lambda row: -sum(cell for cell in row[1:] if isinstance(cell, float)))[:SHOWN]
    if not best:
        return ()
    drawn = {
        str(row[0]): [(place / 10, cell) for place, cell in enumerate(row[1:]) if isinstance(cell, float)]
        for row in best
    }
    title, desc = (
        precision_title(points),
        f"Precision by recall. The best {len(best)} runs; all are in the table.",
    )
    focus = focus_family(study)
    series = {run.tag: "fam" if focus and focus in run.families else "oth" for run in study.runs}
    chart = lines(drawn, series=series, across=(0.0, 1.0), up=(0.0, 1.0))
    svg = lines_svg(chart, name="eleven", title=title, desc=desc, axes=("recall", "precision"))
    return (Figure("eleven", title, desc, svg, "eleven-points"),)


def _topics(study: Study) -> Table:
    columns = (
        Column("measure"),
        Column("topic"),
        Column("relevant", ",d"),
        Column("least", ".4f"),
        Column("median", ".4f"),
        Column("most", ".4f"),
        Column("best run"),
    )
    level = study.grades[PEOPLE] >= study.design.level
    relevant = np.bincount(study.topic_of_pair[level], minlength=len(study.topics))
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        shared = study.shared_values(at, PEOPLE)
        for place, topic in enumerate(shared.topics.tolist() if shared.runs.size else ()):
            values = shared.values[0][:, place]
            best = study.tags[shared.runs[int(values.argmax())]]
            ends = (float(values.min()), float(np.median(values)), float(values.max()))
            rows.append((measure, study.topics[topic], int(relevant[topic]), *ends, best))
    return Table("topics", "Least, median and most of all runs on each topic.", columns, tuple(rows))


def _runs_by_topic(study: Study) -> Table:
    """Each run on each topic by the first measure, against the median and the best run."""
    columns = (
        Column("run"),
        Column("topic"),
        Column(study.measures[0], ".4f"),
        Column("from median", "+z.4f"),
        Column("from best", "+z.4f"),
    )
    shared = study.shared_values(0, PEOPLE)
    values = shared.values[0]
    rows: list[tuple[Cell, ...]] = []
    if shared.runs.size and shared.topics.size:
        from_median, from_best = values - np.median(values, axis=0), values - values.max(axis=0)
        for place, run in enumerate(shared.runs):
            for at, topic in enumerate(shared.topics):
                cells = (float(each[place, at]) for each in (values, from_median, from_best))
                rows.append((study.tags[run], study.topics[topic], *cells))
    return Table("runs-by-topic", "Each run on each topic, against median and best.", columns, tuple(rows))


def _pool(study: Study) -> Table:
    scale = study.design.scale
    columns = (
        Column("topic"),
        Column("judged", ",d"),
        *(Column(f"grade {grade}", ",d") for grade in scale),
        Column("relevant", ".1%"),
    )
    rows: list[tuple[Cell, ...]] = []
    grades = study.grades[PEOPLE]
    for topic in study.shared_topics(PEOPLE).tolist():
        own = grades[(study.topic_of_pair == topic) & (grades >= 0)]
        counts = [int((own == grade).sum()) for grade in scale]
        share = float((own >= study.design.level).mean()) if own.size else None
        rows.append((study.topics[topic], own.size, *counts, share))
    return Table("pool", "Judgments of each topic, by grade.", columns, tuple(rows))


def _uniques(study: Study) -> Table:
    columns = (
        Column("run"),
        Column("team"),
        Column("pool depth", ",d"),
        Column("in pool", ",d"),
        Column("unique", ",d"),
        Column("relevant", ",d"),
    )
    found = contributions(study)
    is_single = found.sum(axis=0) == 1
    relevant = study.grades[PEOPLE] >= study.design.level
    rows = [
        (
            run.tag,
            run.team,
            depth,
            int(row.sum()),
            int((row & is_single).sum()),
            int((row & is_single & relevant).sum()),
        )
        for run, row, depth in zip(study.runs, found, pool_depths(study), strict=True)
    ]
    unique = f"Unique: judged items that no other run ranks within its pool depth. {depths_note(study)}"
    notes = (unique, *chosen_notes(study))
    return Table("uniques", "What each run alone contributed to the pool.", columns, tuple(rows), notes)
