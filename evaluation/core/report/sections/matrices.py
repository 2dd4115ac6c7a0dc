"""How alike are judges, second assessors and people to each other? A matrix of tau and one of kappa."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from evaluation.core.report.findings import Findings
from evaluation.core.report.questions import confusions
from evaluation.core.report.sections.parts import COEFFICIENT, compared
from evaluation.core.report.study import PEOPLE, Study
from evaluation.core.report.tables import Column, Selector, Table, View, table_of
from evaluation.core.statistics.agreement.coefficients import kappa_of_matrices
from evaluation.core.statistics.correlation import kendall_tau_b_of_rows

FEWEST = 2  # judges and second assessors: with one, people's row of another table has the number


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One set of grades against every set, in the order of the study; None for itself and where undefined."""

    measure: str
    name: str
    values: tuple[float | None, ...]


def tau_matrix(study: Study, findings: Findings) -> Table:
    """Tau of every two sets by each measure; people's are those of the findings."""
    views = (View(Column("measure", selector=Selector.MEASURE), _measure), *_columns(study))
    rows = [
        row
        for at, measure in enumerate(study.measures)
        for row in _matrix(
            study,
            measure,
            {each.name: each.order(measure).tau for each in compared(findings)},
            partial(_tau, study, at),
        )
    ]
    notes = ("Kendall's tau-b of the runs' means, on the pairs that both graded.",)
    return table_of("tau-of-judges", "Orders of the runs under every two sets of grades.", views, rows, notes)


def kappa_matrix(study: Study, findings: Findings) -> Table:
    """Kappa of every two sets; people's are those of the findings."""
    known = {each.name: each.grades.kappa for each in compared(findings)}
    rows = _matrix(study, "", known, partial(_kappa, study))
    notes = ("Cohen's kappa on the pairs that both graded.",)
    caption = "Grades of every two sets."
    return table_of("kappa-of-judges", caption, _columns(study), rows, notes)


def _columns(study: Study) -> tuple[View[MatrixRow], ...]:
    return (
        View(Column("grades from"), _name),
        *(View(Column(each.name, COEFFICIENT), _value_at(place)) for place, each in enumerate(study.sets)),
    )


def _measure(row: MatrixRow) -> str:
    return row.measure


def _name(row: MatrixRow) -> str:
    return row.name


def _value_at(place: int) -> Callable[[MatrixRow], float | None]:
    return lambda row: row.values[place]


def _matrix(
    study: Study,
    measure: str,
    with_people: dict[str, float | None],
    value: Callable[[int, int], float | None],
) -> Iterator[MatrixRow]:
    if len(study.others) < FEWEST:
        return
    names = [each.name for each in study.sets]
    values: list[list[float | None]] = [[None] * len(names) for _ in names]
    for one, other in combinations(range(len(names)), 2):
        found = with_people[names[other]] if one == PEOPLE else value(one, other)
        values[one][other] = values[other][one] = found
    for name, row in zip(names, values, strict=True):
        yield MatrixRow(measure, name, tuple(row))


def _tau(study: Study, at: int, one: int, other: int) -> float | None:
    shared = study.shared_values(at, one, other)
    if not shared.runs.size:
        return None
    means = shared.means()
    return _or_none(kendall_tau_b_of_rows(means[0][None], means[1][None])[0])


def _kappa(study: Study, one: int, other: int) -> float | None:
    total = confusions(study, one, other).sum(axis=0)
    return _or_none(kappa_of_matrices(total[None], study.design.scale)[0])


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
