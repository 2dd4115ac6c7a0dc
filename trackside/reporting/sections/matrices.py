"""How alike are judges, second assessors and people to each other? A matrix of tau and one of kappa."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations

from trackside.reporting.questions import confusions
from trackside.reporting.sections.parts import COEFFICIENT
from trackside.reporting.study import Study
from trackside.reporting.tables import Column, Selector, Table, table_of
from trackside.statistics.agreement import kappa_of_matrix
from trackside.statistics.correlation import kendall_tau_b

FEWEST = 2  # judges and second assessors: with one, people's row of another table has the number


def tau_matrix(study: Study) -> Table:
    """Tau of every two sets by each measure."""
    rows = [
        (measure, *row)
        for index, measure in enumerate(study.measures)
        for row in _matrix(study, partial(_tau, study, index))
    ]
    columns = Column("measure", selector=Selector.MEASURE), *_columns(study)
    notes = ("Kendall's tau-b of the runs' means, on the pairs that both graded.",)
    caption = "Orders of the runs under every two sets of grades."
    return table_of("tau-of-judges", caption, columns, rows, notes)


def kappa_matrix(study: Study) -> Table:
    """Kappa of every two sets."""
    rows = _matrix(study, partial(_kappa, study))
    notes = ("Cohen's kappa on the pairs that both graded.",)
    return table_of("kappa-of-judges", "Grades of every two sets.", _columns(study), rows, notes)


def _columns(study: Study) -> tuple[Column, ...]:
    return Column("grades from"), *(Column(graded.name, COEFFICIENT) for graded in study.sets)


def _matrix(
    study: Study, value: Callable[[int, int], float | None]
) -> Iterator[tuple[str | float | None, ...]]:
    """Each set's name with its value against every set; None for itself and where undefined."""
    if len(study.others) < FEWEST:
        return
    names = [graded.name for graded in study.sets]
    values: list[list[float | None]] = [[None] * len(names) for _ in names]
    for one, other in combinations(range(len(names)), 2):
        values[one][other] = values[other][one] = value(one, other)
    for name, row in zip(names, values, strict=True):
        yield name, *row


def _tau(study: Study, index: int, one: int, other: int) -> float | None:
    shared = study.shared_values(index, one, other)
    return kendall_tau_b(*shared.means())


def _kappa(study: Study, one: int, other: int) -> float | None:
    return kappa_of_matrix(confusions(study, one, other).sum(axis=0), study.design.scale).value
