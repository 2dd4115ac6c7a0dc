"""Parts of all sections: cells, compared sets with their findings, figures, matrices of every two sets."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations

import numpy as np

from trackside.arrays import Floats
from trackside.figures.svg.forest import ForestRow, forest_svg
from trackside.findings.grades import is_one_sided
from trackside.findings.results import SetFindings
from trackside.reporting.findings import Findings
from trackside.reporting.questions import confusions
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Column, Figure, Selector, Table, slug, table_of
from trackside.statistics.agreement import kappa_of_matrix
from trackside.statistics.correlation import kendall_tau_b
from trackside.statistics.estimate import Interval, Number, Reason
from trackside.uncertainty.intervals import LEVEL

COEFFICIENT = "z.2f"
POINTS = "+z.1f"
OTHER_TOPICS = "with the same runs, on equally many other topics of this kind"
NEW_TOPICS = "on new topics of this kind, with the same runs"


def number(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    reason: Reason | None = None,
    *,
    level: float = LEVEL,
) -> Number:
    """A finding's number as a cell; ``reason`` is why the number, or else its interval, is undefined."""
    if value is None:
        return Number(None, reason)
    if low is not None and high is not None:
        return Number(value, None, Interval(low, high, level))
    return Number(value, None, Interval.undefined(reason, level) if reason else None)


def compared(findings: Findings) -> Sequence[SetFindings]:
    """Findings of the second assessors and of the judges, in the order of tables."""
    return tuple(chain(findings.yardsticks, findings.judges))


def gaps_note(findings: Findings) -> str:
    """What a caption adds if judges left pairs without a grade: of how many their marks are."""
    parts = [
        f"{judge.name} graded {judge.uses.graded_count:,} of {judge.uses.pair_count:,}"
        for judge in findings.judges
        if judge.uses.gap_count
    ]
    return f" Of {findings.facts.items} with a grade: {'; '.join(parts)}." if parts else ""


def forest_figure(
    kind: str,
    rows: Iterable[tuple[str, str, Number]],
    form: str,
    *,
    title: str,
    axis: str,
    caption: str,
    table: str,
    measure: str = "",
    family: str = "",
    band: tuple[float, float] | None = None,
    zero: float | None = 0.0,
) -> Figure:
    """A forest plot of names, series and numbers; ``kind``, ``measure`` and ``family`` are its name."""
    column = Column("", form)
    forest_rows = [
        ForestRow(row, series, cell.value, cell.low, cell.high, column.text(cell))
        for row, series, cell in rows
    ]
    name = slug(kind, *([family] if family else []), measure=measure)
    desc = f"{caption} The values are in the table."
    svg = forest_svg(forest_rows, name=name, title=title, desc=desc, axis=axis, band=band, zero=zero)
    return Figure(name, title, caption, svg, table, measure, family=family)


@dataclass(frozen=True, slots=True)
class ScaledScores:
    """Scores on the pairs that people graded: raw from least to most, or grades by the scale's ends."""

    is_raw: bool
    values: Floats

    def quantile(self, share: float) -> float | None:
        """A quantile of the values; None without values."""
        return float(np.quantile(self.values, share)) if self.values.size else None


def scaled_scores(study: Study, set_index: int) -> ScaledScores:
    """The raw scores of a set, or its grades if it has none."""
    graded = study.grades[PEOPLE] >= 0
    raw = study.raw_scores[set_index][graded]
    raw = raw[~np.isnan(raw)]
    if raw.size:
        return ScaledScores(is_raw=True, values=_scaled(raw, float(raw.min()), float(raw.max())))
    grades = study.grades[set_index][graded]
    scale = study.design.scale
    values = _scaled(grades[grades >= 0].astype(np.float64), scale[0], scale[-1])
    return ScaledScores(is_raw=False, values=values)


def _scaled(values: Floats, low: float, high: float) -> Floats:
    scaled: Floats = (values - low) / (high - low) if high > low else np.zeros(values.size)
    return scaled


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
    matrix = confusions(study, one, other).sum(axis=0)
    return None if is_one_sided(matrix) else kappa_of_matrix(matrix, study.design.scale).value
