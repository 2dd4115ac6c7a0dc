"""Do judges agree with each other more than with people? Agreement of every two sets of qrels."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.judges.heat import heat
from evaluation.core.figures.svg.judge_charts import heat_svg
from evaluation.core.report.figure_titles import alike_title
from evaluation.core.report.tables import Column, Figure, Number, Section, Table, slug
from evaluation.core.report.focus import classes_of, models_of, named_judges
from evaluation.core.report.matrices import topic_matrices_of
from evaluation.core.report.resampled import coefficient
from evaluation.core.report.sections.grading.alpha_by_cut import alpha_by_cut
from evaluation.core.report.sections.grading.run_differences import difference_figures, run_differences
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.agreement.coefficients import kappa_of_matrices
from evaluation.core.statistics.agreement.rows import estimate_of
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b_of_rows
from evaluation.core.statistics.correlation.rows import in_blocks
from evaluation.core.statistics.estimate import Estimand, Estimate, Reason
from evaluation.core.uncertainty import (
    FEWEST_TOPICS,
    jackknife_interval,
    matrices_without_each,
    rank_difference,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats
    from evaluation.core.report.tables import Cell, Findings
    from evaluation.core.report.study import Study

RESAMPLES = 500
"""A standard deviation over 500 resamples has an error of 3 %."""

WITH_PEOPLE, AMONG_MODELS, OTHER = "model and people", "two models", "second assessor"


def judge_pairs_section(study: Study, findings: Findings) -> Section:
    """Kappa and tau of every two sets of qrels; tau with people is copied from the table of orders."""
    orders = _orders(study, findings)
    grades = _grades(study, findings)
    differences = run_differences(study)
    tables = (models_alike(study), grades, orders, alpha_by_cut(study), differences)
    figures = (*_maps(study, grades, orders), *difference_figures(study, differences))
    return Section("judge-pairs", "Judges with each other", (), tables, figures)


def _kind(study: Study, one: int, other: int) -> str:
    models = models_of(study)
    if one in models and other in models:
        return AMONG_MODELS
    return WITH_PEOPLE if one == PEOPLE and other in models else OTHER


def _grades(study: Study, findings: Findings) -> Table:
    columns = (
        Column("one"),
        Column("other"),
        Column("kind"),
        Column("topics", ",d"),
        Column("items", ",d"),
        Column("kappa", "z.2f", has_interval=True, estimand=Estimand.NEW_TOPICS.words),
    )
    known = findings.table("agreement")
    rows: list[tuple[Cell, ...]] = []
    for one, other in combinations(range(len(study.sets)), 2):
        about = study.name(one), study.name(other), _kind(study, one, other)
        record = known.record(judge=study.name(other)) if known and one == PEOPLE else None
        if record:
            rows.append((*about, record["topics"], record["items"], record["kappa"]))
        else:
            rows.append((*about, *_kappa(study, one, other)))
    notes = ("Cohen's kappa on the items that both graded, pooled over topics.",)
    return Table("pairwise-kappa", "Grades of every two sets of qrels.", columns, tuple(rows), notes)


def _kappa(study: Study, one: int, other: int) -> tuple[Cell, ...]:
    by_topic = topic_matrices_of(study, one, other)
    non_empty = by_topic[by_topic.any(axis=(1, 2))]
    kappa = partial(kappa_of_matrices, scale=study.design.scale)
    found = estimate_of(kappa, non_empty.sum(axis=0))
    if found.value is None:
        return len(non_empty), int(non_empty.sum()), Number.of(found)
    interval = jackknife_interval(found, kappa(matrices_without_each(non_empty)), scale="correlation")
    return len(non_empty), int(non_empty.sum()), Number.of(found, interval)


def _orders(study: Study, findings: Findings) -> Table:
    columns = (
        Column("measure"),
        Column("one"),
        Column("other"),
        Column("kind"),
        Column("topics", ",d"),
        Column("runs", ",d"),
        Column("tau", "z.2f", estimand="tau-b of the runs' means on the topics and items of both"),
    )
    known = findings.table("order")
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for one, other in combinations(range(len(study.sets)), 2):
            about = measure, study.name(one), study.name(other), _kind(study, one, other)
            record = (
                known.record(measure=measure, judge=study.name(other)) if known and one == PEOPLE else None
            )
            if record:
                tau = record["tau"]
                plain = Number(tau.value, tau.reason) if isinstance(tau, Number) else tau
                rows.append((*about, record["topics"], record["runs"], plain))
            else:
                shared = study.shared_values(at, one, other)
                tau = Number.of(coefficient(kendall_tau_b_of_rows, *_means(shared.means())))
                rows.append((*about, shared.topics.size, shared.runs.size, tau))
    return Table("pairwise-tau", "Orders of the runs under every two sets of qrels.", columns, tuple(rows))


def _means(means: Floats) -> tuple[Floats, Floats]:
    return (means[0], means[1]) if means.shape[1] else (np.empty(0), np.empty(0))


def models_alike(study: Study) -> Table:
    """Mean tau of models with people and among models, on the topics that all of them share."""
    columns = (
        Column("measure"),
        Column("models", ",d"),
        Column("topics", ",d"),
        Column("runs", ",d"),
        Column("tau with people", "z.2f", estimand="mean over the models, on these topics"),
        Column("tau among models", "z.2f", estimand="mean over pairs of models, on these topics"),
        Column("difference", "+z.2f", has_interval=True, estimand=Estimand.AS_MANY_OTHER_TOPICS.words),
    )
    models = models_of(study)
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures) if len(models) > 1 else ():
        shared = study.shared_values(at, PEOPLE, *models)
        size = len(models), shared.topics.size, shared.runs.size
        rows.append((measure, *size, *_mean_taus(study, shared.values)))
    notes = (
        "Difference: mean tau among models minus mean tau with people. Above 0, the models agree more with "
        "each other than with people; agreement of several models is then no evidence that they are right.",
    )
    caption = "Are the models more like each other than like people?"
    return Table("judges-alike", caption, columns, tuple(rows), notes)


def _mean_taus(study: Study, values: Floats) -> tuple[Cell, ...]:
    """Cells of mean taus from values [set, run, topic], where set 0 is people and the others are models."""
    runs, topics = values.shape[1:]
    if runs < 2 or not topics:
        return (Number(None, Reason.TOO_FEW if topics else Reason.NO_SHARED_TOPIC),) * 3
    with_people, among = (float(each[0]) for each in _both_means(values.mean(axis=2)[:, None]))
    if np.isnan(with_people) or np.isnan(among):
        return (Number(None, Reason.CONSTANT),) * 3
    samples = np.empty(0)
    if topics >= FEWEST_TOPICS:
        own = _both_means(np.array([study.sampled_means(each)[:RESAMPLES] for each in values]))
        samples = own[1] - own[0]
    value = Estimate.of(among - with_people)
    return Number(with_people), Number(among), Number.of(value, rank_difference(value, samples, topics))


def _both_means(means: Floats) -> tuple[Floats, Floats]:
    """Mean tau-b with the first set and among the others, for each row of means [set, row, run].

    NaN if a tau is undefined, because all runs of a set are equal.
    """
    pairs = list(combinations(range(len(means)), 2))
    taus = [in_blocks(kendall_tau_b_of_rows, means[one], means[other]) for one, other in pairs]
    with_first = np.array([0 in pair for pair in pairs])
    return np.mean(np.array(taus)[with_first], axis=0), np.mean(np.array(taus)[~with_first], axis=0)


def _maps(study: Study, grades: Table, orders: Table) -> Iterator[Figure]:
    names = [study.name(place) for place in range(len(study.sets))]
    for measure in study.measures:
        table: list[list[float | None]] = [[None] * len(names) for _ in names]
        for one, other in combinations(range(len(names)), 2):
            pair = {"one": names[one], "other": names[other]}
            table[one][other] = _value(grades.record(**pair), "kappa")
            table[other][one] = _value(orders.record(measure=measure, **pair), "tau")
        title = alike_title(orders, measure, named_judges(study) | {study.name(PEOPLE)})
        name = slug("heat", measure=measure)
        desc = f"Above the diagonal kappa of the grades, below it tau of the runs' order by {measure}."
        svg = heat_svg(
            heat(names, classes_of(study), table, ("kappa", "tau")), name=name, title=title, desc=desc
        )
        yield Figure(name, title, f"{desc} Darker cells agree more.", svg, orders.name, measure, is_wide=True)


def _value(record: dict[str, Cell] | None, name: str) -> float | None:
    cell = record[name] if record else None
    return cell.value if isinstance(cell, Number) else None
