"""A report: facts that hold for every number, the findings by question, and sections with details."""

from dataclasses import dataclass

from trackside.errors import InputError
from trackside.findings.results import JudgeFindings, YardstickFinding
from trackside.findings.use_results import USES, AssayFinding, HardlyGraded
from trackside.findings.verdicts import Margins
from trackside.reporting.chance import Chance
from trackside.reporting.design import ReportRun, SetFacts
from trackside.reporting.tables import Figure, Section, Table
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown

FORM = 3  # format version of findings.json; increase it on an incompatible change


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReportFacts(Shown):
    """What holds for every number of a report; ``basis`` says it in one line.

    ``families`` are those that some but not all runs belong to. ``best_of_teams`` are tags by measure,
    ``strata`` topics by field and text. ``qrels`` lists people's set first. ``unmet`` has a line for each run
    whose topics or documents hardly meet people's. ``items`` is the noun of what was graded. ``assay`` says
    whether people agree with each other, on all pairs that a second assessor graded.
    """

    basis: str
    code_version: str
    measures: tuple[str, ...]
    families: tuple[str, ...]
    runs: tuple[ReportRun, ...]
    qrels: tuple[SetFacts, ...]
    best_of_teams: dict[str, tuple[str, ...]]
    strata: dict[str, dict[str, tuple[str, ...]]]
    scale: tuple[int, ...]
    level: int
    seed: int
    replicates: int
    margins: Margins
    chosen: str
    topic_count: int
    graded_count: int
    items: str = "results"
    hardly_graded: HardlyGraded
    assay: AssayFinding
    unmet: tuple[str, ...] = ()

    @property
    def has_teams(self) -> bool:
        """Whether any run has a declared team."""
        return any(run.team for run in self.runs)

    @property
    def team_count(self) -> int:
        """Number of teams; a run without a team is its own."""
        return len({run.team or f"\0{run.tag}" for run in self.runs})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LeaderFinding(Shown):
    """The best runs of one measure by people's grades, with and without judges.

    ``first`` are the runs with the highest mean, ``not_told_from`` the other runs that are not significantly
    worse by people's grades (paired t, Holm over all pairs); ``is_tested`` is False below two topics.
    ``means`` are in the order of the report's runs; None without a value.
    """

    measure: str
    first: tuple[str, ...]
    not_told_from: tuple[str, ...]
    is_tested: bool
    means: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Findings(Shown):
    """All results of a report. Judges are models; second assessors are yardsticks."""

    facts: ReportFacts
    judges: tuple[JudgeFindings, ...]
    yardsticks: tuple[YardstickFinding, ...]
    leaders: tuple[LeaderFinding, ...]
    chance: Chance | None = None
    sections: tuple[Section, ...] = ()

    def _shown(self) -> Outline:
        facts = self.facts
        judges, runs = counted(len(self.judges), "judge"), counted(len(facts.runs), "run")
        line = f"{judges} of {runs} on {counted(facts.topic_count, 'topic')} by {', '.join(facts.measures)}"
        rows = ((judge.name, *(str(use.code) for _, use in judge.uses.named())) for judge in self.judges)
        return Outline(line, ("judge", *USES), rows)

    def tables(self) -> list[Table]:
        """All tables, in the order of the sections."""
        return [table for section in self.sections for table in section.tables]

    def table(self, name: str) -> Table:
        """The table of this name. Raises InputError, which names the tables that there are."""
        by_name = {table.name: table for table in self.tables()}
        if name not in by_name:
            raise InputError(f"no table {name}. There are {', '.join(by_name) or 'none'}.")
        return by_name[name]

    def figures(self) -> list[Figure]:
        """All figures, in the order of the sections."""
        return [figure for section in self.sections for figure in section.figures]
