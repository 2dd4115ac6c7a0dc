"""Do judges and people give the same grades? Coefficients with intervals, confusion, topics, raw scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.grid import confusion_grid
from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg.charts import grid_svg, lines_svg
from evaluation.core.report.agreement import agreement_numbers, fewest_for_class, number_with_interval
from evaluation.core.report.figure_titles import ranking_title
from evaluation.core.report.tables import Column, Figure, Number, Section, Table, slug
from evaluation.core.report.focus import classes_of, named_judges, series_of
from evaluation.core.report.matrices import topic_matrices
from evaluation.core.report.sections.differences import grade_differences
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.agreement.coefficients import GradeOffScale, invalid_count
from evaluation.core.statistics.agreement.rows import (
    accuracy_of_class,
    coefficients,
    estimate_of,
    mean_accuracy_of_classes,
)
from evaluation.core.statistics.estimate import Interval, Reason
from evaluation.core.statistics.raw_scores.classification import thresholds
from evaluation.core.statistics.raw_scores.curves import areas_over_topics
from evaluation.core.uncertainty import FEWEST_TOPICS_FOR_RECALL, LEVEL, jackknife_interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.agreement.rows import MatrixStatistic
    from evaluation.core.statistics.raw_scores.classification import Thresholds

FALSE_RATES = (0.01, 0.05)
MAIN = ("kappa", "kappa, linear", "kappa, quadratic", "ceiling of kappa", "alpha, ordinal", "AC1")
AGREEMENT_NOTES = (
    "On the items that both graded, pooled over topics. 95 % intervals by the jackknife over topics: an "
    "interval that treats the items of a topic as independent is several times too narrow. The ceiling is "
    "the highest kappa that the two distributions of grades allow. Below, leniency is the judge's mean "
    "grade minus people's.",
)
ROC_POINTS = 200  # points of a curve; more are not visible


def grades_section(study: Study) -> Section:
    """Coefficients of agreement, counts of grades, and the ranking of the items by a judge's raw scores."""
    _refuse_off_scale(study)
    matrices = {judge: topic_matrices(study, judge) for judge in study.others}
    found = coefficients(study.design.scale)
    main = {name: found[name] for name in MAIN}
    rest = {name: each for name, each in found.items() if name not in MAIN}
    ranked = _ranked(study)
    tables = (
        _agreement(study, matrices, main, "agreement", "Agreement of each judge with people, item by item."),
        _agreement(study, matrices, rest, "agreement-in-detail", "Further coefficients of agreement."),
        grade_differences(study),
        _confusion(study, matrices),
        _by_class(study, matrices),
        _by_topic(study, matrices, main["kappa"], found["same grade"], found["leniency"]),
        ranked,
    )
    figures = (*_grids(study, matrices), *_roc(study, ranked))
    return Section("grades", "Grades, item by item", _says(study, matrices), tables, figures)


def _refuse_off_scale(study: Study) -> None:
    for place, each in enumerate(study.sets):
        given = study.grades[place][study.grades[place] >= 0]
        if invalid_count(given, study.design.scale):
            stray = given[~np.isin(given, study.design.scale)]
            raise GradeOffScale(
                f"{each.name}: {stray.size} grades are not on the scale {study.design.scale}, the first is "
                f"{stray[0]}. Correct them, or declare the scale that was used."
            )


def _agreement(
    study: Study, matrices: dict[int, Ints], statistics: dict[str, MatrixStatistic], name: str, caption: str
) -> Table:
    columns = (
        Column("judge"),
        Column("topics", ",d"),
        Column("items", ",d"),
        *(Column(each, "z.2f", has_interval=True) for each in statistics),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge, by_topic in matrices.items():
        non_empty = by_topic[by_topic.any(axis=(1, 2))]
        total = by_topic.sum(axis=0)
        cells = agreement_numbers(by_topic, study.design.scale, statistics).values()
        rows.append((study.name(judge), len(non_empty), int(total.sum()), *cells))
    return Table(name, caption, columns, tuple(rows), AGREEMENT_NOTES if "kappa" in statistics else ())


def _confusion(study: Study, matrices: dict[int, Ints]) -> Table:
    scale = study.design.scale
    columns = [Column("judge"), Column("people", "d")]
    for title, form in (("{}", ",d"), ("{}, of row", ".0%"), ("{}, of column", ".0%")):
        columns += [Column(title.format(f"judge {grade}"), form) for grade in scale]
    rows: list[tuple[Cell, ...]] = []
    for judge, by_topic in matrices.items():
        total = by_topic.sum(axis=0)
        below = total.sum(axis=0)
        for grade, counts in zip(scale, total, strict=True):
            of_row = [_share(int(count), int(counts.sum())) for count in counts]
            of_column = [_share(int(count), int(all_)) for count, all_ in zip(counts, below, strict=True)]
            rows.append((study.name(judge), grade, *(int(n) for n in counts), *of_row, *of_column))
    return Table("confusion", "Items by people's grade and the judge's.", tuple(columns), tuple(rows))


def _by_class(study: Study, matrices: dict[int, Ints]) -> Table:
    """Share of the items with each people's grade to which the judge gave the same grade."""
    columns = (
        Column("judge"),
        Column("people"),
        Column("items", ",d"),
        Column("accuracy", ".1%", has_interval=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge, by_topic in matrices.items():
        non_empty = by_topic[by_topic.any(axis=(1, 2))]
        total = by_topic.sum(axis=0)
        for place, grade in enumerate(study.design.scale):
            fewest = fewest_for_class(place, study.design.scale)
            found = number_with_interval(partial(accuracy_of_class, place=place), non_empty, "share", fewest)
            rows.append((study.name(judge), str(grade), int(total[place].sum()), found))
        mean = number_with_interval(mean_accuracy_of_classes, non_empty, "share", FEWEST_TOPICS_FOR_RECALL)
        rows.append((study.name(judge), "mean of classes", int(total.sum()), mean))
    notes = ("The mean gives every class the same weight.",)
    return Table("accuracy-by-class", "Accuracy by class.", columns, tuple(rows), notes)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _by_topic(
    study: Study,
    matrices: dict[int, Ints],
    kappa: MatrixStatistic,
    same: MatrixStatistic,
    leniency: MatrixStatistic,
) -> Table:
    columns = (
        Column("judge"),
        Column("topic"),
        Column("items", ",d"),
        Column("kappa", "z.2f"),
        Column("same grade", ".0%"),
        Column("leniency", "+z.2f"),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge, by_topic in matrices.items():
        for topic, matrix in zip(study.topics, by_topic, strict=True):
            if matrix.any():
                cells = [Number.of(estimate_of(each, matrix)) for each in (kappa, same, leniency)]
                rows.append((study.name(judge), topic, int(matrix.sum()), *cells))
    return Table("agreement-by-topic", "Agreement on each topic.", columns, tuple(rows))


def _ranked(study: Study) -> Table:
    """A judge's raw scores against people's binary relevance at each cut, without a mapping to grades."""
    columns = (
        Column("judge"),
        Column("relevant from", "d"),
        Column("items", ",d"),
        Column("relevant", ",d"),
        Column("AUPRC", ".3f", has_interval=True),
        Column("chance", ".3f"),
        Column("ROC area", ".3f", has_interval=True),
        *(Column(f"recall at {rate:.0%} false", ".3f", has_interval=True) for rate in FALSE_RATES),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge in study.others:
        pairs = _scored(study, judge)
        for cut in study.design.scale[1:] if pairs.size else ():
            is_relevant = study.grades[PEOPLE][pairs] >= cut
            share = float(is_relevant.mean())
            cells = _areas(study, judge, pairs, cut)
            rows.append(
                (study.name(judge), cut, pairs.size, int(is_relevant.sum()), cells[0], share, *cells[1:])
            )
    notes = ("Only judges with raw scores. AUPRC: average precision of all items ranked by raw score.",)
    return Table(
        "raw-scores-as-ranking", "Raw scores against people's binary relevance.", columns, tuple(rows), notes
    )


def _areas(study: Study, judge: int, pairs: Ints, cut: int) -> list[Number]:
    scores, is_relevant = study.raw_scores[judge][pairs], study.grades[PEOPLE][pairs] >= cut
    found = areas_over_topics(is_relevant, scores, study.topic_of_pair[pairs], FALSE_RATES)
    areas, recalls = found[: -len(FALSE_RATES)], found[-len(FALSE_RATES) :]
    none = Interval.undefined(Reason.NOT_COVERED, LEVEL)
    return [
        *(Number.of(value, jackknife_interval(value, without, scale="share")) for value, without in areas),
        *(Number.of(value, none) for value, _ in recalls),
    ]


def _scored(study: Study, judge: int) -> Ints:
    return np.flatnonzero((study.grades[PEOPLE] >= 0) & ~np.isnan(study.raw_scores[judge]))


def _grids(study: Study, matrices: dict[int, Ints]) -> Iterator[Figure]:
    scale = study.design.scale
    for judge, by_topic in matrices.items():
        name, title = slug("confusion", study.name(judge)), _grid_title(study, judge, by_topic)
        series = classes_of(study)[judge]
        drawn = confusion_grid(confusion_of(by_topic), scale)
        desc = "Counts of items by both grades; the same counts are in the table."
        svg = grid_svg(
            drawn, name=name, title=title, desc=desc, axes=("People", study.name(judge)), series=series
        )
        yield Figure(name, title, "Per cent and shade: share of the row.", svg, "confusion")


def _grid_title(study: Study, judge: int, by_topic: Ints) -> str:
    same = estimate_of(coefficients(study.design.scale)["same grade"], confusion_of(by_topic))
    share = "no item" if same.value is None else f"{same.value:.0%}".replace("%", " %") + " of the items"
    return f"{study.name(judge)} gives people's grade to {share}"


def confusion_of(by_topic: Ints) -> Ints:
    """Sum the matrices of all topics."""
    total: Ints = by_topic.sum(axis=0)
    return total


def _roc(study: Study, table: Table) -> Iterator[Figure]:
    level = study.design.level
    points = {}
    for judge in study.others:
        pairs = _scored(study, judge)
        curve = thresholds(study.grades[PEOPLE][pairs] >= level, study.raw_scores[judge][pairs])
        if curve.relevant_count and curve.other_count:
            points[study.name(judge)] = _roc_points(curve)
    if points:
        drawn = lines(points, series=series_of(study), across=(0.0, 1.0), up=(0.0, 1.0))
        title = ranking_title(table, level, named_judges(study))
        desc = f"ROC of the raw scores, relevant from grade {level}; areas are in the table."
        svg = lines_svg(drawn, name="roc", title=title, desc=desc, axes=("false positive rate", "recall"))
        yield Figure("roc", title, desc, svg, "raw-scores-as-ranking")


def _roc_points(curve: Thresholds) -> list[tuple[float, float]]:
    false, true = curve.wrong / curve.other_count, curve.right / curve.relevant_count
    drawn = np.unique(np.linspace(0, false.size - 1, min(ROC_POINTS, false.size)).astype(np.int64))
    return [(0.0, 0.0), *((float(false[at]), float(true[at])) for at in drawn)]


def _says(study: Study, matrices: dict[int, Ints]) -> tuple[str, ...]:
    second = [judge for judge in study.others if study.sets[judge].facts.get("kind") == "second"]
    if not second:
        return ("No second assessor graded, so there is no human agreement to compare with.",)
    kappa = coefficients(study.design.scale)["kappa"]
    known = [(study.name(judge), estimate_of(kappa, confusion_of(matrices[judge]))) for judge in second]
    kappas = "; ".join(f"{name} {found.text(2)}" for name, found in known)
    return (f"For comparison, the kappa among people: {kappas}.",)
