"""Parts of all sections: numbers of findings as cells, compared sets with their findings, and figures."""

from collections.abc import Sequence
from itertools import chain

from trackside.figures.svg.forest import ForestRow, forest_svg
from trackside.findings.results import SetFindings
from trackside.reporting.findings import Findings
from trackside.reporting.tables import Column, Figure, slug
from trackside.statistics.estimate import Interval, Number, Reason
from trackside.uncertainty.ends import LEVEL

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


def forest_row(name: str, series: str, cell: Number, form: str) -> ForestRow:
    """A row of a figure from a table's cell."""
    shown = Column("", form).text(cell)
    return ForestRow(name, series, cell.value, cell.low, cell.high, shown)


def forest_figure(
    kind: str,
    rows: Sequence[ForestRow],
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
    """A forest plot; ``kind``, ``measure`` and ``family`` are its name, ``table`` has its values."""
    name = slug(kind, *([family] if family else []), measure=measure)
    desc = f"{caption} The values are in the table."
    svg = forest_svg(rows, name=name, title=title, desc=desc, axis=axis, band=band, zero=zero)
    return Figure(name, title, caption, svg, table, measure, family=family)
