"""What a report's first page draws: the uses of each judge, a scatter for each judge, and runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from trackside.figures.svg.forest import sign_svg
from trackside.figures.svg.panels import PanelAxes, PanelRun
from trackside.reporting.findings import Findings
from trackside.reporting.sections.paper import MOST_RUNS, panel_runs
from trackside.reporting.views.first_page import FirstPage, judge_place
from trackside.reporting.views.sentences import coefficient
from trackside.reporting.views.uses import WORDS, UseCell, UseRow
from trackside.reporting.views.uses_svg import CLASSES, mark_svg, whisker_svg

MOST_ROWS = 8  # judges before the rest is folded
MOST_PANELS = 4


@dataclass(frozen=True)
class ShownCell:
    """A cell of the table of uses, with its mark and whisker as SVG."""

    cell: UseCell
    mark: str
    tone: str
    whisker: str


@dataclass(frozen=True)
class ShownRow:
    """A judge or second assessor, with the cells of the five uses, and the address of its passport if any."""

    row: UseRow
    sign: str
    cells: tuple[ShownCell, ...]
    passport: str = ""


@dataclass(frozen=True)
class UsesTable:
    """The rows of a first page; ``series`` are the classes of the marks beside the names.

    ``passports`` are the addresses of the judges' passports, by name.
    """

    page: FirstPage
    series: Mapping[str, str]
    passports: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> Iterator[tuple[str, str, str]]:
        """Mark, class and word of each code."""
        for code, word in WORDS.items():
            yield mark_svg(code), CLASSES[code], word

    @cached_property
    def first(self) -> list[ShownRow]:
        """The rows to show at once, people first."""
        return [self._shown(row) for row in (*self.page.yardsticks, *self.page.judges[:MOST_ROWS])]

    @cached_property
    def others(self) -> list[ShownRow]:
        """The rows to fold."""
        return [self._shown(row) for row in self.page.judges[MOST_ROWS:]]

    def _shown(self, row: UseRow) -> ShownRow:
        cells = tuple(
            ShownCell(
                cell,
                mark_svg(cell.code) if cell.code else "",
                CLASSES[cell.code] if cell.code else "",
                whisker_svg(cell.whisker) if cell.whisker else "",
            )
            for cell in row.cells
        )
        return ShownRow(row, sign_svg(self.series[row.name]), cells, self.passports.get(row.name, ""))


@dataclass(frozen=True)
class JudgePanel:
    """One judge's drawing with its name and tau."""

    name: str
    tau: str
    svg: str
    has_best_alone: bool


def judge_panels(findings: Findings, measure: str, family: str | None) -> list[JudgePanel]:
    """Draw the first judges, as in the table, on shared axes; without those that have no mean of any run."""
    judges = sorted(findings.judges, key=lambda judge: judge_place(judge, judge.order(measure).tau))
    orders = [(judge.name, judge.order(measure)) for judge in judges[:MOST_PANELS]]
    rows = [(name, order.tau, order) for name, order in orders if order.tau is not None]
    runs = [panel_runs(findings.facts, order, family) for _, _, order in rows]
    axes = PanelAxes.of([run for of_judge in runs for run in of_judge])
    has_best_alone = len(findings.facts.runs) > MOST_RUNS
    return [
        JudgePanel(name, coefficient(tau), _drawn(axes, name, of_judge, measure, number), has_best_alone)
        for number, ((name, tau, _), of_judge) in enumerate(zip(rows, runs, strict=True), 1)
    ]


def _drawn(axes: PanelAxes, judge: str, runs: Sequence[PanelRun], measure: str, number: int) -> str:
    return axes.panel_svg(
        runs,
        judge=judge,
        name=f"panel-{number}",
        title=f"{judge}: mean {measure} of runs against people's",
        desc=f"Scatter of {len(runs)} runs.",
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
