"""Size and power of what a report says of a judge and a family: for these runs, and in general.

A report has seven judges, three measures and three declared families. Run-blind judges draw their grades from
people's grade and topic alone, so that every "above" and "below" is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tests.simulations.made import CONFUSIONS, chances_of, made_track
from tests.simulations.real import NAMES, RealTrack, errors_of, real_folder, real_track
from tests.simulations.rows import Row
from tests.simulations.stacked import Tested, tested
from tests.simulations.studies import Track, drawn_grades, raised
from trackside.arrays import Floats, Ints
from trackside.findings.excess import ALPHA
from trackside.findings.results import FamilyFinding
from trackside.findings.verdicts import FamilyVerdict, GeneralVerdict
from trackside.reporting.questions import family_findings

JUDGES = 7
MEASURES = ("nDCG@10", "P@10", "AP")
MADE = "made"
TEAMS = (4, 5, 8)
TASTES = (0.1, 0.3)
Report = list[tuple[Tested, ...]]


class Source(Protocol):
    """Where tracks come from: a name, and draws of a track with people's grades and a function for judges.

    ``kinds`` are the numbers of judges by what the settings call them.
    """

    @property
    def name(self) -> str: ...

    @property
    def kinds(self) -> Mapping[str, Sequence[int]]: ...

    def draw(self, rng: np.random.Generator) -> Drawn: ...


@dataclass(frozen=True)
class Drawn:
    """A track, people's grades, and the chances [pair, grade] of run-blind judges by number."""

    track: Track
    people: Ints
    chances: Sequence[Floats]

    def judge(self, rng: np.random.Generator, at: int) -> Ints:
        """The grades of a run-blind judge."""
        return drawn_grades(rng, self.chances[at % len(self.chances)])


@dataclass(frozen=True)
class RealSource:
    """One real track; only its judges are drawn."""

    real: RealTrack
    errors: Sequence[Floats]

    @property
    def name(self) -> str:
        """The track."""
        return self.real.name

    @property
    def kinds(self) -> Mapping[str, Sequence[int]]:
        """All judges are of one kind."""
        return {self.name: range(len(self.errors))}

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Draw which topic's errors each judge has on each topic."""
        people, topics = self.real.people, self.real.track.topic_of_pair
        source = rng.integers(0, len(self.errors[0]), (len(self.errors), self.real.track.topic_count))
        chances = [
            errors[of_topic[topics], people] for errors, of_topic in zip(self.errors, source, strict=True)
        ]
        return Drawn(self.real.track, people, chances)


@dataclass(frozen=True)
class MadeSource:
    """Sixteen runs of a few teams on 74 topics."""

    teams: int

    @property
    def name(self) -> str:
        """The number of teams."""
        return f"16 runs of {self.teams} teams"

    @property
    def kinds(self) -> Mapping[str, Sequence[int]]:
        """Judges whose grades say almost nothing apart from the others."""
        noisy = list(CONFUSIONS).index("noisy")
        others = [at for at in range(len(CONFUSIONS)) if at != noisy]
        return {self.name: others, f"{self.name}, noisy judges": [noisy]}

    def draw(self, rng: np.random.Generator) -> Drawn:
        """People err; judges see people's grades alone, and their leniency differs between topics."""
        made = made_track(rng, teams=self.teams, gap=0.2)
        topics = made.track.topic_of_pair
        people = drawn_grades(rng, chances_of(rng, "careful", made.truth, topics))
        chances = [chances_of(rng, name, people, topics) for name in CONFUSIONS]
        of_run = np.array(made.track.teams)
        names = np.unique(of_run)
        families = {
            "alike": made.is_in,
            "every other team": np.isin(of_run, names[::2]),
            "one team": of_run == names[0],
        }
        return Drawn(made.track.declaring(families), people, chances)


def sources(names: Sequence[str]) -> Iterator[Source]:
    """Made tracks, and those real ones that TRACKSIDE_CASES holds."""
    folder = real_folder()
    for name in names:
        if name == MADE:
            yield from (MadeSource(teams) for teams in TEAMS)
        elif folder:
            real = real_track(folder, name)
            yield RealSource(real, errors_of(folder, real.track.scale[-1]))


def is_said(finding: FamilyFinding | Tested) -> bool:
    """Whether the report says "above" or "below"."""
    return finding.verdict.is_above or finding.verdict.is_below


def is_named(finding: FamilyFinding | Tested, judges: int) -> bool:
    """Whether the lead of a report with so many judges names the judge for this family."""
    return is_said(finding) and finding.p_holm is not None and finding.p_holm * judges <= ALPHA


def run_blind_reports(source: Source, tracks: int, seed: int) -> list[Report]:
    """What is said of each judge of each report."""
    reports = []
    for at in range(tracks):
        rng = np.random.default_rng([seed, at])
        drawn = source.draw(rng)
        models = np.array([drawn.judge(rng, judge) for judge in range(JUDGES)])
        reports.append(tested(drawn.track, drawn.people, models, MEASURES))
    return reports


def families(tracks: int, seed: int, names: Sequence[str] = (MADE, *NAMES)) -> Iterator[Row]:
    """Run-blind judges: how often a report says "above" or "below"."""
    for source in sources(names):
        yield from size_rows(source.name, run_blind_reports(source, tracks, seed))


def size_rows(setting: str, reports: list[Report]) -> Iterator[Row]:
    """A row a family and measure, and one a measure for any of the families."""
    for measure in MEASURES:
        chosen = [[_by(measure, findings) for findings in report] for report in reports]
        for column in zip(*(findings for report in chosen for findings in report), strict=True):
            yield Row(f"{column[0].family}, {measure}", setting, len(reports), _size_figures(column))
        yield Row(f"any of three families, {measure}", setting, len(reports), _report_figures(chosen))


def _by(measure: str, findings: Sequence[Tested]) -> list[Tested]:
    return [finding for finding in findings if finding.measure == measure]


def _size_figures(column: Sequence[Tested]) -> dict[str, float | None]:
    """Shares of the judges, for one family."""
    return {
        "p at most .05": share(finding.p is not None and finding.p <= ALPHA for finding in column),
        "within 5 points": share(finding.verdict is FamilyVerdict.WITHIN for finding in column),
        "half width": float(np.median([_half(finding) for finding in column])),
        "in general": share(finding.general.verdict is GeneralVerdict.SHOWN for finding in column),
    }


def _report_figures(reports: Sequence[Sequence[Sequence[Tested]]]) -> dict[str, float | None]:
    """Shares of the judges, and of the reports of seven: said of any judge, and by the lead of any.

    "p times seven" is a lead that does not count the families.
    """
    return {
        "said of a judge": share(any(map(is_said, findings)) for report in reports for findings in report),
        "said of any judge": share(
            any(is_said(finding) for findings in report for finding in findings) for report in reports
        ),
        "lead": share(
            any(is_named(finding, JUDGES) for findings in report for finding in findings)
            for report in reports
        ),
        "p times seven": share(
            any((finding.p or 1.0) * JUDGES <= ALPHA for findings in report for finding in findings)
            for report in reports
        ),
    }


def _half(finding: Tested) -> float:
    return np.nan if finding.low is None or finding.high is None else (finding.high - finding.low) / 2


def share(flags: Iterable[bool]) -> float:
    return float(np.mean(list(flags)))


def general(tracks: int, seed: int, names: Sequence[str] = (MADE, *NAMES)) -> Iterator[Row]:
    """Judges with tastes for single teams: how often a family drawn at random is said to gain."""
    for source in sources(names):
        for taste in TASTES:
            for kind in ("half of the teams", "three teams"):
                if kind == "three teams" and source.name.endswith(("4 teams", "5 teams")):
                    continue
                column = [taste_finding(source, taste, kind, [seed, at]) for at in range(tracks)]
                yield Row(
                    f"{kind}, taste {taste:g}",
                    source.name,
                    tracks,
                    {
                        "above or below": share(map(is_said, column)),
                        "given": share(
                            finding.general.verdict is not GeneralVerdict.NOT_SAID for finding in column
                        ),
                        "in general": share(
                            finding.general.verdict is GeneralVerdict.SHOWN for finding in column
                        ),
                    },
                )


def taste_finding(source: Source, taste: float, kind: str, seed: Sequence[int]) -> FamilyFinding:
    """The finding of a judge that raises up to twice ``taste`` of each team's first tens, by nDCG@10."""
    rng = np.random.default_rng(seed)
    drawn = source.draw(rng)
    of_run = np.array(drawn.track.teams)
    names = np.unique(of_run)
    judge = drawn.judge(rng, seed[-1])
    for name in names:
        own = drawn.track.exposure(of_run == name)
        judge = raised(rng, judge, own, 2 * taste * rng.random(), drawn.track.scale[-1])
    count = names.size // 2 if kind == "half of the teams" else 3
    family = {"at random": np.isin(of_run, rng.choice(names, count, replace=False))}
    study = drawn.track.declaring(family).study(drawn.people, [judge])
    return family_findings(study, 1, None)[0]
