"""Rows of a report's first page with their drawings: judges beside people, and runs."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mode
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from evaluation.core.figures.svg.whisker import pairs_svg, shared_axis, sign_svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from evaluation.core.figures.svg.whisker import WhiskerAxis
    from evaluation.core.report.findings import Findings, ReportFacts
    from evaluation.core.report.views.first_page import FirstPage, Measured, PageRow

MOST_ROWS = 8  # judges before the rest is folded
HIGHEST_KAPPA = 0.8  # the axis of kappa reaches it at least


@dataclass(frozen=True)
class ShownNumber:
    """A number with its interval, or why there is none, and its whisker."""

    measured: Measured
    whisker: SafeString

    @property
    def has_ends(self) -> bool:
        """Whether ``ends`` are those of an interval."""
        return self.measured.low is not None


@dataclass(frozen=True)
class JudgeRow:
    """One judge, or a second assessor, with its drawings."""

    row: PageRow
    sign: SafeString
    tau: ShownNumber
    pairs: SafeString
    kappa: ShownNumber
    excess: ShownNumber | None
    is_on_few_topics: bool


@dataclass(frozen=True)
class Axes:
    """The axes that the rows share, each with people's interval or the margin as its band."""

    tau: WhiskerAxis
    kappa: WhiskerAxis
    excess: WhiskerAxis

    @classmethod
    def of(cls, page: FirstPage, margin: float) -> Axes:
        """The axes of a first page; ``margin`` is that of the excess."""
        rows = (*page.yardsticks, *page.judges)
        excesses = _ends(row.excess for row in rows if row.excess)
        return cls(
            shared_axis(_ends(row.tau for row in rows), 0.0, 1.0, _band(row.tau for row in page.yardsticks)),
            shared_axis(
                _ends(row.kappa for row in rows),
                0.0,
                HIGHEST_KAPPA,
                _band(row.kappa for row in page.yardsticks),
            ),
            shared_axis(excesses, -margin, margin, (-margin, margin)),
        )

    @property
    def tau_head(self) -> SafeString:
        """The axis above the whiskers of tau."""
        return _safe(self.tau.head_svg())

    @property
    def kappa_head(self) -> SafeString:
        """The axis above the whiskers of kappa."""
        return _safe(self.kappa.head_svg())

    @property
    def excess_head(self) -> SafeString:
        """The axis above the whiskers of the excess."""
        return _safe(self.excess.head_svg(is_signed=True))


@dataclass(frozen=True)
class JudgesTable:
    """The rows with their axes; ``first`` are shown at once, people first, and ``others`` are folded.

    ``told`` is the number of pairs of runs that people tell apart in the most rows, None if they tell none.
    """

    first: list[JudgeRow]
    others: list[JudgeRow]
    axes: Axes
    margin: float
    told: int | None

    @classmethod
    def of(cls, page: FirstPage, facts: ReportFacts, series: Mapping[str, str]) -> JudgesTable:
        """Draw the rows of a first page."""
        axes = Axes.of(page, facts.margins.points)
        people, judges = (
            [_row(row, axes, series[row.name], facts.topic_count) for row in rows]
            for rows in (page.yardsticks, page.judges)
        )
        told = [row.pairs.told for row in (*page.yardsticks, *page.judges) if row.pairs and row.pairs.told]
        return cls(
            first=[*people, *judges[:MOST_ROWS]],
            others=judges[MOST_ROWS:],
            axes=axes,
            margin=facts.margins.points,
            told=mode(told) if told else None,
        )

    @property
    def has_band(self) -> bool:
        """Whether people's interval is drawn in the rows."""
        return self.axes.tau.band is not None or self.axes.kappa.band is not None


def _row(row: PageRow, axes: Axes, series: str, topic_count: int) -> JudgeRow:
    pairs = row.pairs
    return JudgeRow(
        row,
        _safe(sign_svg(series)),
        _number(row.tau, axes.tau, series),
        _safe(pairs_svg(pairs.told, pairs.reversed, pairs.missed)) if pairs else SafeString(),
        _number(row.kappa, axes.kappa, series),
        _number(row.excess, axes.excess, series) if row.excess else None,
        row.topic_count < topic_count,
    )


@dataclass(frozen=True)
class RunRow:
    """A run's mean by people's grades; ``mean`` is None without a value on every topic."""

    tag: str
    team: str
    is_in_family: bool
    mean: float | None

    @property
    def sign(self) -> SafeString:
        """The mark of the family in focus or of other runs."""
        return _safe(sign_svg("fam" if self.is_in_family else "oth"))


def run_rows(findings: Findings, measure: str, family: str | None) -> list[RunRow]:
    """Return the runs by people's mean, best first; runs without a mean come last."""
    (leader,) = [leader for leader in findings.leaders if leader.measure == measure]
    rows = [
        RunRow(run.tag, run.team, family in run.families, mean)
        for run, mean in zip(findings.facts.runs, leader.means, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.mean is None, -(row.mean or 0.0), row.tag))


def _number(measured: Measured, axis: WhiskerAxis, series: str) -> ShownNumber:
    drawn = axis.whisker_svg(measured.value, measured.low, measured.high, series=series)
    return ShownNumber(measured, _safe(drawn))


def _ends(numbers: Iterable[Measured]) -> list[float | None]:
    return [end for number in numbers for end in (number.value, number.low, number.high)]


def _band(numbers: Iterable[Measured]) -> tuple[float, float] | None:
    """The interval of the first second assessor that has one."""
    ends = ((number.low, number.high) for number in numbers)
    return next(((low, high) for low, high in ends if low is not None and high is not None), None)


def _safe(svg: str) -> SafeString:
    return mark_safe(svg)  # noqa: S308 - drawn by core/figures
