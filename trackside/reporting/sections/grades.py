"""Does each judge grade as people do, pair by pair?"""

import numpy as np

from trackside.arrays import Ints
from trackside.findings.grades import agreement_numbers, is_one_sided
from trackside.findings.results import GradeFinding, JudgeFindings, SetFindings
from trackside.reporting.chance import CHANCE
from trackside.reporting.findings import Findings
from trackside.reporting.questions import confusions
from trackside.reporting.sections.parts import (
    COEFFICIENT,
    NEW_TOPICS,
    compared,
    forest_figure,
    gaps_note,
    kappa_matrix,
    number,
)
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Cell, Column, Figure, Section, Table, table_of
from trackside.statistics.agreement import (
    MatrixStatistic,
    alphas_at_cuts,
    coefficients,
    estimate_of,
)
from trackside.statistics.estimate import Number, Reason

FURTHER = {
    "kappa, linear": COEFFICIENT,
    "kappa, quadratic": COEFFICIENT,
    "AC1": COEFFICIENT,
    "same grade": ".0%",
}


def grades_section(study: Study, findings: Findings) -> Section | None:
    """Coefficients of agreement, the confusion, and kappa of judges with each other."""
    if not compared(findings):
        return None
    indices = {graded.name: index for index, graded in enumerate(study.sets)}
    matrices = {graded.name: confusions(study, PEOPLE, indices[graded.name]) for graded in compared(findings)}
    tables = (
        _agreement(study, findings, matrices),
        _confusion(study, matrices),
        kappa_matrix(study),
    )
    return Section("grades", "Grades", (), tables, (_figure(study, findings, matrices),))


def _figure(study: Study, findings: Findings, matrices: dict[str, Ints]) -> Figure:
    """Kappa of the second assessors and of each judge with people."""
    series = study.series
    return forest_figure(
        "kappa",
        [
            (graded.name, series[graded.name], _kappa(graded.grades, matrices[graded.name]))
            for graded in compared(findings)
        ],
        COEFFICIENT,
        title="Kappa of each judge with people",
        axis="kappa with people",
        caption=f"95 % interval over topics. A hollow mark has no interval.{gaps_note(findings)}",
        table="agreement",
    )


def _kappa(grades: GradeFinding, by_topic: Ints) -> Number:
    """Kappa; undefined where one side gave one grade: its formula gives 0 whatever the other gave."""
    if is_one_sided(by_topic.sum(axis=0)):
        return Number(None, Reason.CONSTANT_GRADES)
    return number(grades.kappa, grades.low, grades.high, grades.reason)


def _agreement(study: Study, findings: Findings, matrices: dict[str, Ints]) -> Table:
    scale = study.design.scale
    notes = (
        "On the pairs that both graded, summed over topics; 95 % intervals by the jackknife over topics. "
        "Leniency: the judge's mean grade minus people's. alpha: Krippendorff's, of “this grade or more” "
        "against “less”. Second assessor: kappa of the judge minus that of the second assessor, on the pairs "
        "that all graded, with one-sided 95 % ends, pooled over second assessors; tau only if people agree. "
        "By chance: expected of the judges' grades in any order.",
    )
    columns = (
        Column("grades from"),
        Column("topics", ",d"),
        Column("pairs", ",d"),
        _with_interval("kappa"),
        _with_interval("leniency", "+z.2f"),
        _with_interval("less the second assessor's kappa", "+z.2f"),
        _with_interval("less the second assessor's tau", "+z.2f"),
        *(_with_interval(name, form) for name, form in FURTHER.items()),
        *(_with_interval(name) for name in alphas_at_cuts(scale)),
    )
    rows = [_cells(graded, matrices[graded.name], scale) for graded in compared(findings)]
    if findings.chance:
        rows.append(_by_chance(np.array(findings.chance.matrix), scale))
    caption = "Agreement of each judge with people, pair by pair."
    return table_of("agreement", caption, columns, rows, notes)


def _with_interval(name: str, form: str = COEFFICIENT) -> Column:
    return Column(name, form, has_interval=True, estimand=NEW_TOPICS)


def _cells(graded: SetFindings, by_topic: Ints, scale: tuple[int, ...]) -> tuple[Cell, ...]:
    """The findings, and further coefficients of the confusion matrices [topic, people, judge]."""
    grades = graded.grades
    further = agreement_numbers(by_topic, scale, _further(scale))
    return (
        graded.name,
        grades.topic_count,
        grades.pair_count,
        _kappa(grades, by_topic),
        number(grades.leniency, grades.leniency_low, grades.leniency_high),
        *_beside_second(graded),
        *further.values(),
    )


def _beside_second(graded: SetFindings) -> tuple[Number | None, Number | None]:
    """The differences to the second assessors' kappa and tau, with one-sided 95 % ends."""
    if not isinstance(graded, JudgeFindings):
        return None, None
    label, rank = graded.uses.label, graded.uses.rank
    kappa = label.difference, label.low_difference, label.high_difference
    tau = rank.second_difference, rank.second_low, rank.second_high
    assay = graded.uses.assay
    reason = assay.reason or (Reason.ALL_RUNS_EQUAL if assay.is_passed else Reason.NO_ASSAY)
    return number(*kappa, label.reason, level=0.9), number(*tau, reason, level=0.9)


def _by_chance(matrix: Ints, scale: tuple[int, ...]) -> tuple[Cell, ...]:
    """The expected coefficients of the judges' grades, shuffled over all pairs that people graded."""
    by_name = coefficients(scale)
    statistics = (by_name["kappa"], by_name["leniency"], *_further(scale).values())
    kappa, leniency, *further = (Number.of(estimate_of(statistic, matrix)) for statistic in statistics)
    return (CHANCE, None, None, kappa, leniency, None, None, *further)


def _further(scale: tuple[int, ...]) -> dict[str, MatrixStatistic]:
    by_name = coefficients(scale)
    return {name: by_name[name] for name in FURTHER} | alphas_at_cuts(scale)


def confusion_rows(by_topic: Ints, scale: tuple[int, ...]) -> list[tuple[int, list[int]]]:
    """Each of people's grades with the counts of the judge's; none without a pair."""
    total = by_topic.sum(axis=0)
    return list(zip(scale, total.tolist(), strict=True)) if total.any() else []


def shares_of(counts: list[int]) -> list[float]:
    """The counts as shares of their sum; empty if it is 0."""
    return [count / sum(counts) for count in counts] if any(counts) else []


def _confusion(study: Study, matrices: dict[str, Ints]) -> Table:
    scale = study.design.scale
    columns = (
        Column("grades from"),
        Column("people's grade", "d"),
        Column("pairs", ",d"),
        *(Column(f"graded {grade}", ",d") for grade in scale),
        *(Column(f"{grade}, share", ".0%") for grade in scale),
    )
    rows = (
        (name, grade, sum(counts), *counts, *(shares_of(counts) or (None for _ in scale)))
        for name, by_topic in matrices.items()
        for grade, counts in confusion_rows(by_topic, scale)
    )
    return table_of("confusion", "Pairs by people's grade and the judge's.", columns, rows)
