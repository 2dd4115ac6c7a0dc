"""Is the collection reusable for later runs? Leave-one-group-out, shallower pools, gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.axes import padded_range
from evaluation.core.figures.lines import lines
from evaluation.core.figures.scatter import RunPoint, scatter
from evaluation.core.figures.svg.charts import family_key, lines_svg, scatter_svg
from evaluation.core.measures.lookup import ABSENT
from evaluation.core.report.figure_titles import depths_title, unjudged_title
from evaluation.core.report.tables import Column, Figure, Number, Section, Table
from evaluation.core.report.focus import focus_family
from evaluation.core.report.pool_depths import chosen_notes, contributions, depths_note
from evaluation.core.report.resampled import coefficient_of_runs
from evaluation.core.report.shared_values import means_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b, pearson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

DEPTHS = (5, 10, 20, 30, 50, 100)
TOP = 10
PERSISTENCE = 0.8
GAPS = (f"Judged@{TOP}", f"unj@{TOP}", f"RBP(p={PERSISTENCE})", f"RBPresidual(p={PERSISTENCE})")


def reusability_section(study: Study) -> Section:
    """Leave-one-out tests, pool depths and unjudged results, all under people's qrels."""
    depths = _depths(study)
    tables = (_left_out(study, "team"), _left_out(study, "family"), depths, _gaps(study))
    figures = (*_curve(study, depths), *_unjudged(study, tables[-1]))
    return Section("reusability", "Reusability", _says(study), tables, figures)


def _left_out(study: Study, group: str) -> Table:
    """Each run with and without the judged items that only its own group contributed to the pool."""
    columns = (
        Column("measure"),
        Column(group),
        Column("run"),
        Column("unique items", ",d"),
        Column("unique relevant", ",d"),
        Column("with", ".4f"),
        Column("without", ".4f"),
        Column("difference", "+z.4f"),
        Column("places lost", "+d"),
    )
    found = contributions(study)
    finders = found.sum(axis=0)
    means = [study.means(PEOPLE, at) for at in range(len(study.measures))]
    rows: list[tuple[Cell, ...]] = []
    for name, members in _groups(study, group).items():
        own = found[members].sum(axis=0)
        unique = (own > 0) & (own == finders) & (study.grades[PEOPLE] >= 0)
        grades = np.where(unique, ABSENT, study.grades[PEOPLE])
        relevant = int((unique & (study.grades[PEOPLE] >= study.design.level)).sum())
        graded = study.judgments(grades)
        for run in np.flatnonzero(members).tolist():
            values = graded.values(study.retrieved[run], study.measures)[:, study.is_judged[PEOPLE]]
            for at, without in enumerate(means_of(values).tolist()):
                full = float(means[at][run])
                if np.isfinite(full) and np.isfinite(without):
                    counts = int(unique.sum()), relevant
                    cells = (*counts, full, without, *_change(means[at], run, without))
                    rows.append((study.measures[at], name, study.tags[run], *cells))
    rows.sort(key=lambda row: study.measures.index(str(row[0])))
    caption = f"Leaving one {group} out: each run without the items that only its {group} found."
    notes = (depths_note(study), *chosen_notes(study))
    return Table(f"leave-one-{group}-out", caption, columns, tuple(rows), notes)


def _change(means: Floats, run: int, without: float) -> tuple[float, int]:
    others = np.delete(means, run)
    lost = int((others > without).sum()) - int((others > means[run]).sum())
    return without - float(means[run]), lost


def _groups(study: Study, group: str) -> dict[str, Flags]:
    if group == "family":
        return {name: study.in_family(name) for name in study.families}
    teams = sorted({run.team for run in study.runs if run.team})
    return (
        {team: np.array([run.team == team for run in study.runs]) for team in teams} if len(teams) > 1 else {}
    )


def _depths(study: Study) -> Table:
    """Items and tau of shallower pools, which hold the pairs that some run ranks within the depth."""
    columns = (
        Column("measure"),
        Column("depth", "d"),
        Column("items", ",d"),
        Column("relevant", ",d"),
        Column("tau with all", "z.2f"),
        Column("largest drop", ".0f"),
    )
    best = np.full(study.topic_of_pair.size, np.iinfo(np.int64).max)
    for each in study.retrieved:
        np.minimum.at(best, each.pairs, each.ranks)
    graded = study.grades[PEOPLE] >= 0
    rows: list[tuple[Cell, ...]] = []
    for depth in DEPTHS:
        grades = np.where(best < depth, study.grades[PEOPLE], ABSENT)
        count = int((graded & (best < depth)).sum())
        if not count or (count == graded.sum() and rows and rows[-1][2] == count):
            continue
        relevant = int((grades >= study.design.level).sum())
        means = _means_under(study, grades)
        for at, measure in enumerate(study.measures):
            cells = _against_all(study.means(PEOPLE, at), means[at])
            rows.append((measure, depth, count, relevant, *cells))
    rows.sort(key=lambda row: study.measures.index(str(row[0])))
    return Table("depths", "Shallower pools against all judgments.", columns, tuple(rows))


def _means_under(study: Study, grades: Ints) -> Floats:
    """Means [measure, run] under other grades of the reference's topics."""
    graded = study.judgments(grades)
    topics = study.is_judged[PEOPLE]
    return np.array([means_of(graded.values(each, study.measures)[:, topics]) for each in study.retrieved]).T


def _against_all(full: Floats, less: Floats) -> tuple[Number, Number]:
    known = ~np.isnan(full) & ~np.isnan(less)
    tau = Number.of(kendall_tau_b(full[known], less[known]))
    return tau, Number.of(coefficient_of_runs("largest drop", full[known], less[known]))


def _gaps(study: Study) -> Table:
    columns = (
        Column("run"),
        Column("team"),
        *(Column(name, ".4f") for name in GAPS),
        *(Column(measure, ".4f") for measure in study.measures),
    )
    rows = [
        (run.tag, run.team, *_gap_means(study, at), *_own_means(study, at))
        for at, run in enumerate(study.runs)
    ]
    notes = (_unjudged_says(study),)
    return Table(
        "judged",
        "How much of each run is judged, and the RBP that gaps could add.",
        columns,
        tuple(rows),
        notes,
    )


def _gap_means(study: Study, run: int) -> list[float | None]:
    values = study.values_under(study.grades[PEOPLE], run, GAPS)[:, study.is_judged[PEOPLE]]
    return [_or_none(mean) for mean in means_of(values)]


def _own_means(study: Study, run: int) -> list[float | None]:
    return [_or_none(study.means(PEOPLE, at)[run]) for at in range(len(study.measures))]


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _unjudged_says(study: Study) -> str:
    shares, means = _unjudged_shares(study)
    known = ~np.isnan(shares) & ~np.isnan(means)
    found = pearson(shares[known], means[known])
    return f"Share of unjudged results in the first {TOP} against {study.measures[0]}: r = {found.text(2)}."


def _unjudged_shares(study: Study) -> tuple[Floats, Floats]:
    """Share of unjudged results in the first ten of each run, and its mean by the first measure.

    A rank without a result does not count as unjudged.
    """
    unjudged = np.array([_gap_means(study, run)[1] for run in range(len(study.runs))], dtype=np.float64)
    return unjudged, study.means(PEOPLE, 0)


def _unjudged(study: Study, judged: Table) -> Iterator[Figure]:
    shares, means = _unjudged_shares(study)
    focus = focus_family(study)
    points = [
        RunPoint(tag, "fam" if is_in else "oth", bool(is_in), float(share), float(mean))
        for tag, is_in, share, mean in zip(study.tags, study.in_family(focus), shares, means, strict=True)
        if not np.isnan(share) and not np.isnan(mean)
    ]
    if points:
        low, high = padded_range(each.across for each in points)
        chart = scatter(points, across=(max(low, 0.0), high), up=padded_range(each.up for each in points))
        title = unjudged_title(judged, GAPS[1], TOP)
        desc = f"Share of unjudged results in the first {TOP}, and mean {study.measures[0]}, of each run."
        svg = scatter_svg(
            replace(chart, identity=None),  # the axes differ in kind, so the diagonal has no meaning
            name="unjudged",
            title=title,
            desc=desc,
            axes=("unjudged", study.measures[0]),
            key=family_key(focus, {each.series for each in points}),
        )
        yield Figure("unjudged", title, desc, svg, "judged")


def _says(study: Study) -> tuple[str, ...]:
    teams = {run.team for run in study.runs if run.team}
    return () if len(teams) > 1 else ("Runs of one team only: no team can be left out.",)


def _curve(study: Study, depths: Table) -> tuple[Figure, ...]:
    points: dict[str, list[tuple[float, float]]] = {measure: [] for measure in study.measures}
    for measure, depth, _, _, tau, _ in depths.rows:
        if isinstance(tau, Number) and tau.value is not None and isinstance(depth, int):
            points[str(measure)].append((depth, tau.value))
    if not any(points.values()):
        return ()
    title, desc = depths_title(depths), "tau with all judgments by pool depth, one line per measure."
    svg = lines_svg(
        lines(points, up=(0.0, 1.0)), name="depths-curve", title=title, desc=desc, axes=("depth", "tau")
    )
    return (Figure("depths-curve", title, desc, svg, "depths"),)
