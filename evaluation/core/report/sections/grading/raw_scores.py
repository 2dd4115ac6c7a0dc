"""Output of the judges: raw scores by people's grade, shares of grades, and outcomes without a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.core.figures.distribution import distribution
from evaluation.core.figures.histogram import histogram
from evaluation.core.figures.svg.charts import distribution_svg, histogram_svg
from evaluation.core.report.figure_titles import by_grade_title, fullest_title
from evaluation.core.report.tables import Column, Figure, Section, Table, slug
from evaluation.core.report.focus import series_of
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from evaluation.core.arrays import Floats
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

QUARTILES = {"lowest": 0.0, "q25": 0.25, "median": 0.5, "q75": 0.75, "highest": 1.0}
BINS = 20


def raw_scores_section(study: Study) -> Section:
    """Distributions, shares of grades, outcomes and susceptibility to prompt injection in the items."""
    tables = (_quantiles(study), _histogram(study), _grades(study), _outcomes(study))
    return Section(
        "raw-scores",
        "Raw scores and grades",
        (),
        tables,
        (*_curves(study, tables[0]), *_bars(study, tables[1])),
    )


def scores_by_grade(study: Study, judge: int) -> dict[int, Floats]:
    """A judge's raw scores of the items of each grade that people gave."""
    scores, people = study.raw_scores[judge], study.grades[PEOPLE]
    known = ~np.isnan(scores)
    return {grade: scores[known & (people == grade)] for grade in study.design.scale}


def _quantiles(study: Study) -> Table:
    columns = (
        Column("judge"),
        Column("people", "d"),
        Column("items", ",d"),
        *(Column(name, ".3f") for name in QUARTILES),
        Column("cuts"),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge in _scored(study):
        cuts = ", ".join("none" if cut is None else f"{cut:.3f}" for cut in _cuts(study, judge))
        for grade, scores in scores_by_grade(study, judge).items():
            found = np.quantile(scores, list(QUARTILES.values())).tolist() if scores.size else [None] * 5
            rows.append((study.name(judge), grade, scores.size, *found, cuts))
    caption = "Raw scores by people's grade; cuts: thresholds of the judge's grades."
    return Table("raw-scores", caption, columns, tuple(rows))


def _histogram(study: Study) -> Table:
    columns = (Column("judge"), Column("from", ".4g"), Column("to", ".4g"), Column("items", ",d"))
    rows: list[tuple[Cell, ...]] = []
    for judge in _scored(study):
        scores = study.raw_scores[judge]
        counts, edges = np.histogram(scores[~np.isnan(scores)], BINS)
        for place, count in enumerate(counts.tolist()):
            rows.append((study.name(judge), float(edges[place]), float(edges[place + 1]), count))
    return Table("raw-score-histogram", f"Raw scores in {BINS} bins.", columns, tuple(rows))


def _grades(study: Study) -> Table:
    """Share of each grade in each set of qrels."""
    scale = study.design.scale
    columns = (
        Column("qrels"),
        Column("items", ",d"),
        *(Column(f"grade {grade}", ".1%") for grade in scale),
        Column("mean grade", ".2f"),
        Column("gaps", ",d"),
    )
    rows: list[tuple[Cell, ...]] = []
    for place, each in enumerate(study.sets):
        given = study.grades[place][study.grades[place] >= 0]
        shares = [float((given == grade).mean()) if given.size else None for grade in scale]
        gaps = int(each.facts.get("pair_count", given.size)) - given.size
        rows.append((each.name, given.size, *shares, float(given.mean()) if given.size else None, gaps))
    return Table("shares-of-grades", "Shares of the grades given.", columns, tuple(rows))


def _outcomes(study: Study) -> Table:
    """Outcomes of each judge's pairs, and the shift of its scores by prompt injection in items."""
    columns = (Column("judge"), Column("outcome"), Column("items", ",d"), Column("share", ".1%"))
    rows: list[tuple[Cell, ...]] = []
    for judge in study.others:
        outcomes = study.sets[judge].provenance.get("outcomes") or {}
        total = sum(outcomes.values())
        for outcome, count in sorted(outcomes.items(), key=lambda each: (-each[1], each[0])):
            rows.append((study.name(judge), outcome, count, count / total if total else None))
        tests = study.sets[judge].provenance.get("susceptibility") or ()
        rows += [(study.name(judge), _susceptibility_words(row), None, None) for row in tests]
    caption = "Outcomes: a pair without a score is a gap with a reason, never grade 0."
    return Table("outcomes", caption, columns, tuple(rows))


def _susceptibility_words(row: Mapping[str, Any]) -> str:
    """Describe the effect of a prompt injection in one place of the canary pairs on their scores."""
    shift = "no score" if row["shift"] is None else f"raw score {row['shift']:+.4f}".replace("-", "−")
    raised = "" if row["raised_count"] is None else f", higher grade {row['raised_count']}"
    return f"instruction to the judge in the {row['place']}, {row['scene_count']} pairs: {shift}{raised}"


def _curves(study: Study, quantiles: Table) -> Iterator[Figure]:
    for judge in _scored(study):
        groups = {str(grade): scores for grade, scores in scores_by_grade(study, judge).items()}
        # The lowest grade is left of the first cut; the third and higher grades are right of their own cut.
        lowest, _, *higher = (f"grade {grade}" for grade in (*study.design.scale, ""))
        both = zip((lowest, *higher), _cuts(study, judge), strict=False)
        cuts = {grade: cut for grade, cut in both if cut is not None}
        name = slug("distribution", study.name(judge))
        title = by_grade_title(quantiles, study.name(judge), study.design.scale)
        svg = distribution_svg(
            distribution(groups, cuts=cuts),
            name=name,
            title=title,
            desc="Cumulative share of items, one line per grade; quartiles are in the table.",
            axis="raw score",
        )
        yield Figure(name, title, "Share of items with at most this score; dashed: cuts.", svg, "raw-scores")


def _bars(study: Study, table: Table) -> Iterator[Figure]:
    series = series_of(study)
    for judge in dict.fromkeys(str(row[0]) for row in table.rows):
        steps = [
            (start, end, count)
            for _, start, end, count in table.where(judge=judge).rows
            if isinstance(start, float) and isinstance(end, float) and isinstance(count, int)
        ]
        name, title = slug("histogram", judge), fullest_title(table, judge)
        desc = f"Items in {BINS} bins of raw score, over all of people's grades."
        svg = histogram_svg(
            histogram(steps), series[judge], name=name, title=title, desc=desc, axes=("raw score", "items")
        )
        yield Figure(name, title, desc, svg, table.name)


def _scored(study: Study) -> list[int]:
    return [judge for judge in study.others if not np.isnan(study.raw_scores[judge]).all()]


def _cuts(study: Study, judge: int) -> list[float | None]:
    """Thresholds of the judge's grades; None if no score, or every score, is beyond the threshold."""
    mapping = study.sets[judge].provenance.get("mapping") or {}
    return list(mapping.get("thresholds") or ())
