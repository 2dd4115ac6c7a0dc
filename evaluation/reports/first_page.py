"""What a report's first page draws: judges beside people, a scatter for each judge, and runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trackside.figures.svg.forest import WhiskerAxis, pairs_svg, shared_axis, sign_svg
from trackside.figures.svg.panels import PanelAxes, PanelRun
from trackside.reporting.findings import Findings, ReportFacts
from trackside.reporting.sections.paper import MOST_RUNS, panel_runs
from trackside.reporting.views.first_page import FirstPage, Measured, PageRow

MOST_ROWS = 8  # judges before the rest is folded
HIGHEST_KAPPA = 0.8  # the axis of kappa reaches it at least
MOST_PANELS = 4


@dataclass(frozen=True)
class ShownNumber:
    """A number with its interval, or why there is none, and its whisker and the axis of it as SVG."""

    measured: Measured
    whisker: str
    axis: str


@dataclass(frozen=True)
class JudgeRow:
    """One judge, or a second assessor, with its drawings as SVG."""

    row: PageRow
    sign: str
    tau: ShownNumber
    pairs: str
    kappa: ShownNumber
    excess: ShownNumber | None
    is_on_few_topics: bool


@dataclass(frozen=True)
class JudgesTable:
    """The rows of a first page, and the axes that they share; ``series`` are the classes of the marks."""

    page: FirstPage
    facts: ReportFacts
    series: Mapping[str, str]

    @cached_property
    def tau(self) -> WhiskerAxis:
        """The axis of tau, with people's interval as its band."""
        band = _band(row.tau for row in self.page.yardsticks)
        return shared_axis(_ends(row.tau for row in self._rows), 0.0, 1.0, band=band)

    @cached_property
    def kappa(self) -> WhiskerAxis:
        """The axis of kappa, with people's interval as its band."""
        band = _band(row.kappa for row in self.page.yardsticks)
        return shared_axis(_ends(row.kappa for row in self._rows), 0.0, HIGHEST_KAPPA, band=band)

    @cached_property
    def excess(self) -> WhiskerAxis:
        """The axis of the excess, with the margin as its band."""
        ends = -self.margin, self.margin
        known = _ends(row.excess for row in self._rows if row.excess)
        return shared_axis(known, band=ends, is_signed=True)

    @property
    def margin(self) -> float:
        """The margin of the excess."""
        return self.facts.margins.points

    @property
    def has_band(self) -> bool:
        """Whether people's interval is drawn in the rows."""
        return self.tau.band is not None or self.kappa.band is not None

    @cached_property
    def first(self) -> list[JudgeRow]:
        """The rows to show at once, people first."""
        return [self._shown(row) for row in (*self.page.yardsticks, *self.page.judges[:MOST_ROWS])]

    @cached_property
    def others(self) -> list[JudgeRow]:
        """The rows to fold."""
        return [self._shown(row) for row in self.page.judges[MOST_ROWS:]]

    @property
    def _rows(self) -> tuple[PageRow, ...]:
        return (*self.page.yardsticks, *self.page.judges)

    def _shown(self, row: PageRow) -> JudgeRow:
        pairs, series = row.pairs, self.series[row.name]
        return JudgeRow(
            row,
            sign_svg(series),
            _number(row.tau, self.tau, series),
            pairs_svg(pairs.told, pairs.reversed, pairs.missed) if pairs else "",
            _number(row.kappa, self.kappa, series),
            _number(row.excess, self.excess, series) if row.excess else None,
            row.topic_count < self.facts.topic_count,
        )


@dataclass(frozen=True)
class JudgePanel:
    """One judge's drawing with its name and tau."""

    name: str
    tau: str
    svg: str
    has_best_alone: bool


def judge_panels(findings: Findings, page: FirstPage) -> list[JudgePanel]:
    """Draw the first judges of the table, on shared axes; a judge that has no mean of any run is left out."""
    rows = [row for row in page.judges if row.tau.value is not None][:MOST_PANELS]
    orders = {judge.name: judge.order(page.measure) for judge in findings.judges}
    runs = [panel_runs(findings.facts, orders[row.name], page.family) for row in rows]
    axes = PanelAxes.of([run for of_judge in runs for run in of_judge])
    has_best_alone = len(findings.facts.runs) > MOST_RUNS
    return [
        JudgePanel(row.name, row.tau.text, _drawn(axes, row, of_judge, page.measure, number), has_best_alone)
        for number, (row, of_judge) in enumerate(zip(rows, runs, strict=True), 1)
    ]


def _drawn(axes: PanelAxes, row: PageRow, runs: Sequence[PanelRun], measure: str, number: int) -> str:
    return axes.panel_svg(
        runs,
        judge=row.name,
        name=f"panel-{number}",
        title=f"{row.name}: mean {measure} of runs against people's",
        desc=f"Scatter of {len(runs)} runs, tau {row.tau.text}.",
        measure=measure,
    )


@dataclass(frozen=True)
class RunRow:
    """A run's mean by people's grades; ``mean`` is None without a value on every topic."""

    tag: str
    team: str
    is_in_family: bool
    mean: float | None

    @property
    def sign(self) -> str:
        """The mark of the family in focus or of other runs, as SVG."""
        return sign_svg("fam" if self.is_in_family else "oth")


def run_rows(findings: Findings, measure: str, family: str | None) -> list[RunRow]:
    """Return the runs by people's mean, best first; runs without a mean come last."""
    (leader,) = [leader for leader in findings.leaders if leader.measure == measure]
    rows = [
        RunRow(run.tag, run.team, family in run.families, mean)
        for run, mean in zip(findings.facts.runs, leader.means, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.mean is None, -(row.mean or 0.0), row.tag))


def _number(measured: Measured, axis: WhiskerAxis, series: str) -> ShownNumber:
    whisker = axis.whisker_svg(measured.value, measured.low, measured.high, series=series)
    return ShownNumber(measured, whisker, axis.head_svg())


def _ends(numbers: Iterable[Measured]) -> list[float | None]:
    return [end for number in numbers for end in (number.value, number.low, number.high)]


def _band(numbers: Iterable[Measured]) -> tuple[float, float] | None:
    """The interval of the first second assessor that has one."""
    ends = ((number.low, number.high) for number in numbers)
    return next(((low, high) for low, high in ends if low is not None and high is not None), None)
