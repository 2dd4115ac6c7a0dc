"""Do they give the same grades: coefficients with intervals, confusion, each topic, raw scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.agreement import GradeOffScale, invalid_count
from evaluation.core.agreement_rows import (
    accuracy_of_class,
    coefficients,
    estimate_of,
    mean_accuracy_of_classes,
)
from evaluation.core.bootstrap import FEWEST_TOPICS, percentile_interval, sampled_matrices
from evaluation.core.classification import average_precision, recall_at_false_rate, roc_area, thresholds
from evaluation.core.figures.grid import confusion_grid
from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg import grid_svg, lines_svg
from evaluation.core.report.content import Column, Figure, Number, Section, Table, slug
from evaluation.core.report.matrices import topic_matrices
from evaluation.core.report.sections.differences import grade_differences
from evaluation.core.report.study import PEOPLE
from evaluation.core.score_curves import areas, score_curve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.agreement_rows import MatrixStatistic
    from evaluation.core.arrays import Ints
    from evaluation.core.classification import Thresholds
    from evaluation.core.report.content import Cell
    from evaluation.core.report.study import Study

FALSE_RATES = (0.01, 0.05)
MAIN = ("kappa", "kappa, linear", "kappa, quadratic", "ceiling of kappa", "alpha, ordinal", "AC1")
AGREEMENT_NOTES = (
    "On the items that both graded. 95 % intervals by resampling topics: a textbook interval takes the items "
    "of a topic for independent and is several times too narrow. The ceiling is the highest kappa that the "
    "two distributions of grades allow. Below, leniency is the judge's mean grade less people's.",
)
ROC_POINTS = 200  # of a curve; more cannot be seen


def grades_section(study: Study) -> Section:
    """Coefficients of agreement, counts of grades, and a judge's raw scores as a ranking of the items."""
    _refuse_off_scale(study)
    matrices = {judge: topic_matrices(study, judge) for judge in study.others}
    found = coefficients(study.design.scale)
    main = {name: found[name] for name in MAIN}
    rest = {name: each for name, each in found.items() if name not in MAIN}
    tables = (
        _agreement(study, matrices, main, "agreement", "Agreement of each judge with people, item by item."),
        _agreement(study, matrices, rest, "agreement-in-detail", "Other sides of the same agreement."),
        grade_differences(study),
        _confusion(study, matrices),
        _by_class(study, matrices),
        _by_topic(study, matrices, main["kappa"], found["same grade"], found["leniency"]),
        _ranked(study),
    )
    figures = (*_grids(study, matrices), *_roc(study))
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
        kept = by_topic[by_topic.any(axis=(1, 2))]
        total = by_topic.sum(axis=0)
        samples = sampled_matrices(kept, study.counts(len(kept))) if len(kept) >= FEWEST_TOPICS else None
        cells = [_with_interval(each, total, samples) for each in statistics.values()]
        rows.append((study.name(judge), len(kept), int(total.sum()), *cells))
    return Table(name, caption, columns, tuple(rows), AGREEMENT_NOTES if "kappa" in statistics else ())


def _with_interval(statistic: MatrixStatistic, total: Ints, samples: Ints | None) -> Number:
    found = estimate_of(statistic, total)
    if found.value is None or samples is None:
        return Number.of(found)
    return Number.of(found, percentile_interval(statistic(samples)))


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
    """Of the items of each of people's grades the share to which the judge gave the same one."""
    columns = (
        Column("judge"),
        Column("people"),
        Column("items", ",d"),
        Column("accuracy", ".1%", has_interval=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for judge, by_topic in matrices.items():
        kept = by_topic[by_topic.any(axis=(1, 2))]
        total = by_topic.sum(axis=0)
        samples = sampled_matrices(kept, study.counts(len(kept))) if len(kept) >= FEWEST_TOPICS else None
        for place, grade in enumerate(study.design.scale):
            found = _with_interval(partial(accuracy_of_class, place=place), total, samples)
            rows.append((study.name(judge), str(grade), int(total[place].sum()), found))
        mean = _with_interval(mean_accuracy_of_classes, total, samples)
        rows.append((study.name(judge), "mean of classes", int(total.sum()), mean))
    notes = ("The mean counts every class alike, however many items it has.",)
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
    """A judge's raw scores against people's yes or no at each cut, without any mapping to grades."""
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
        "raw-scores-as-ranking", "Raw scores against people's yes or no.", columns, tuple(rows), notes
    )


def _areas(study: Study, judge: int, pairs: Ints, cut: int) -> list[Number]:
    scores, is_relevant = study.raw_scores[judge][pairs], study.grades[PEOPLE][pairs] >= cut
    names, topics = np.unique(study.topic_of_pair[pairs], return_inverse=True)
    curve = thresholds(is_relevant, scores)
    estimates = [average_precision(curve), roc_area(curve)]
    estimates += [recall_at_false_rate(curve, rate) for rate in FALSE_RATES]
    found = areas(score_curve(is_relevant, scores, topics, names.size), study.counts(names.size), FALSE_RATES)
    samples = [found.precision_recall, found.roc, *found.recalls.T]
    return [
        Number.of(each, percentile_interval(drawn))
        if each.value is not None and names.size >= FEWEST_TOPICS
        else Number.of(each)
        for each, drawn in zip(estimates, samples, strict=True)
    ]


def _scored(study: Study, judge: int) -> Ints:
    return np.flatnonzero((study.grades[PEOPLE] >= 0) & ~np.isnan(study.raw_scores[judge]))


def _grids(study: Study, matrices: dict[int, Ints]) -> Iterator[Figure]:
    scale = study.design.scale
    for judge, by_topic in matrices.items():
        name, title = slug("confusion", study.name(judge)), f"People by {study.name(judge)}"
        drawn = confusion_grid(confusion_of(by_topic), scale)
        desc = "Counts of items by both grades; the same counts are in the table."
        svg = grid_svg(drawn, name=name, title=title, desc=desc, axes=("People", "Judge"))
        yield Figure(name, title, "Per cent and shade: share of the row.", svg, "confusion")


def confusion_of(by_topic: Ints) -> Ints:
    """The matrix of all topics together."""
    total: Ints = by_topic.sum(axis=0)
    return total


def _roc(study: Study) -> Iterator[Figure]:
    level = study.design.level
    points = {}
    for judge in study.others:
        pairs = _scored(study, judge)
        curve = thresholds(study.grades[PEOPLE][pairs] >= level, study.raw_scores[judge][pairs])
        if curve.relevant_count and curve.other_count:
            points[study.name(judge)] = _roc_points(curve)
    if points:
        drawn = lines(points, across=(0.0, 1.0), up=(0.0, 1.0))
        title, desc = "ROC of the raw scores", f"Relevant from grade {level}; areas are in the table."
        svg = lines_svg(
            drawn, name="roc", title=title, desc=desc, axes=("others let through", "relevant found")
        )
        yield Figure("roc", title, desc, svg, "raw-scores-as-ranking")


def _roc_points(curve: Thresholds) -> list[tuple[float, float]]:
    false, true = curve.wrong / curve.other_count, curve.right / curve.relevant_count
    kept = np.unique(np.linspace(0, false.size - 1, min(ROC_POINTS, false.size)).astype(np.int64))
    return [(0.0, 0.0), *((float(false[at]), float(true[at])) for at in kept)]


def _says(study: Study, matrices: dict[int, Ints]) -> tuple[str, ...]:
    second = [judge for judge in study.others if study.sets[judge].facts.get("kind") == "second"]
    if not second:
        return ("No second assessor graded: there is no human yardstick beside these numbers.",)
    kappa = coefficients(study.design.scale)["kappa"]
    known = [(study.name(judge), estimate_of(kappa, confusion_of(matrices[judge]))) for judge in second]
    told = "; ".join(f"{name} {found.text(2)}" for name, found in known)
    return (f"The yardstick is how well people agree with each other: kappa of {told}.",)
