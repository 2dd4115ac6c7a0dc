"""The table of judges on a report's first page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from evaluation.core.figures.svg.whisker import sign_svg, whisker_svg
from evaluation.core.report.tables import ABSENT, Conclusion, ConclusionCode, Number
from evaluation.core.statistics.estimate import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.report.tables import Cell, Column, Findings

LABELS = {
    ConclusionCode.FAVOURS: ("warn", "favours"),
    ConclusionCode.DISFAVOURS: ("warn", "disfavours"),
    ConclusionCode.FAVOURS_UNLESS_PEOPLE_ERR: ("warn", "favours, unless people err"),
    ConclusionCode.DISFAVOURS_UNLESS_PEOPLE_ERR: ("warn", "disfavours, unless people err"),
    ConclusionCode.NO_SIGN: ("ok", "no sign"),
    ConclusionCode.CANNOT_TELL: ("", "cannot be told"),
    ConclusionCode.UNDEFINED: ("", "undefined"),
}
"""Class and words of a conclusion; the style sheet shows the class as diamond, disc or ring."""


@dataclass(frozen=True)
class ShownNumber:
    """A number as text, its interval or the reason for its absence, and its whisker."""

    value: str
    interval: str
    whisker: SafeString


@dataclass(frozen=True)
class JudgePanel:
    """One set of qrels compared with people's: a row of the judges' table."""

    name: str
    sign: SafeString
    kind: str
    counts: str
    tau: ShownNumber
    ceiling: str
    order_p: str
    kappa: ShownNumber
    kappa_ceiling: str
    difference: ShownNumber
    excess: ShownNumber
    p: str
    tone: str
    favour: str
    shown_from: str


def judge_panels(
    findings: Findings, series: Mapping[str, str], measure: str, family: str | None
) -> list[JudgePanel]:
    """Return the key figures of each of the report's other qrels.

    Second assessors come first, then judges by tau; judges on too few topics for an interval come last.
    """
    table = findings.table("judges")
    if table is None:
        return []
    chosen = table.where(measure=measure, family=family)
    columns = {column.name: column for column in chosen.columns}
    ordered = sorted(chosen.records(), key=_place)
    return [_panel(columns, record, series[str(record["judge"])]) for record in ordered]


def _place(record: Mapping[str, Cell]) -> tuple[bool, bool, float]:
    tau = record["tau"]
    known = tau if isinstance(tau, Number) else Number(None)
    return record["kind"] == "model", known.low is None, -(known.value or 0.0)


def _panel(columns: Mapping[str, Column], record: Mapping[str, Cell], series: str) -> JudgePanel:
    def text(name: str) -> str:
        # A report of older code lacks some columns until it is computed again.
        return columns[name].text(record[name]) if name in columns else ABSENT

    def short(name: str) -> str:
        cell = record.get(name)
        is_few = isinstance(cell, Number) and cell.reason == Reason.TOO_FEW_TOPICS
        return "none" if is_few else text(name)

    def number(name: str, ceiling: str = "") -> ShownNumber:
        top = record[ceiling] if ceiling else None
        return _number(columns[name], record[name], series, text("topics"), top)

    favour = record["favour"]
    tone, label = LABELS[favour.outcome] if isinstance(favour, Conclusion) else ("", "")
    return JudgePanel(
        name=text("judge"),
        sign=mark_safe(sign_svg(series)),  # noqa: S308 - drawn by core/figures
        kind=text("kind"),
        counts=f"{_counted(text('topics'), 'topic')}, {_counted(text('items'), 'item')}",
        tau=number("tau", "noise ceiling"),
        ceiling=short("noise ceiling"),
        order_p=text("p, deciding"),
        kappa=number("kappa", "ceiling of kappa"),
        kappa_ceiling=number("ceiling of kappa").value,
        difference=number("difference in Relative Delta"),
        excess=number("excess, points"),
        p=short("p, corrected"),
        tone=tone,
        favour=label,
        shown_from=text("would show") if tone == "ok" else "",
    )


def _counted(count: str, noun: str) -> str:
    return f"{count} {noun if count == '1' else f'{noun}s'}"


def _without(reason: Reason, topics: str) -> str:
    """Return why an interval is missing: the few topics, or the reason in words."""
    if reason == Reason.TOO_FEW_TOPICS:
        return f"none, {topics} topics"
    return f"none: {reason.words}"


def _number(column: Column, cell: Cell, series: str, topics: str, ceiling: Cell = None) -> ShownNumber:
    top = ceiling.value if isinstance(ceiling, Number) else None
    if not isinstance(cell, Number) or cell.value is None:
        return ShownNumber(column.text(cell), "", _drawn(Number(None), top, series))
    interval = ""
    if cell.missing:
        interval = _without(cell.missing, topics)
    elif cell.low is not None:
        low, high = (column.text(Number(each)) for each in (cell.low, cell.high))
        interval = f"{low} to {high}"
    return ShownNumber(column.text(Number(cell.value)), interval, _drawn(cell, top, series))


def _drawn(number: Number, ceiling: float | None, series: str) -> SafeString:
    return mark_safe(whisker_svg(number.value, number.interval, ceiling, series=series))  # noqa: S308
