"""How often a report of a real track says "favours" of judges that err like real ones and cannot see runs.

Runs, topics and people's grades are those of the track. A judge has the errors of a language model on TREC DL
2020, drawn grade by grade without looking at runs (`real_tracks.drawn_grades`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.measures.lookup import ABSENT
from evaluation.core.report.design import Design, GradedSet, ReportRun
from evaluation.core.report.favours import find_favours
from evaluation.core.report.filling import study_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.trec_files import Qrels, Rankings
from tests.simulations.favours import SHARES, figure_of, verdicts_of
from tests.simulations.real import TRACKS, cases_folder
from tests.simulations.real_tracks import LEVELS, drawn_grades, errors_of
from tests.simulations.rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from evaluation.core.arrays import Flags, Floats
    from evaluation.core.report.study import Study

MEASURES = ("nDCG@10",)
TOP = 10
FAMILIES = ("teams drawn at random", "weaker teams", "teams that retrieve alike")


def favours_real(tracks: int, seed: int) -> Iterator[Row]:
    """One row a track, family and share; the models are drawn from in turn."""
    folder = cases_folder()
    if folder is None:
        return
    errors = errors_of(folder / "judge-errors-dl2020.json")
    for name in TRACKS:
        track = RealTrack.read(folder / name, LEVELS[name])
        for family in FAMILIES:
            rng = np.random.default_rng(seed)
            drawn = (track.draw(errors[at % len(errors)], family, rng) for at in range(tracks))
            found = np.array([verdicts_of(find_favours(study)) for study in drawn], dtype=np.float64)
            yield from _rows(f"{name}, {family}", len(track.study.topics), len(track.study.runs), found)


def _rows(setting: str, topics: int, runs: int, found: Floats) -> Iterator[Row]:
    for statistic, values in zip(SHARES, found.T, strict=True):
        known = values[~np.isnan(values)]
        share = float(known.mean()) if known.size else None
        figures = {figure_of(statistic, is_null=True): share, "given": known.size / len(values)}
        yield Row(statistic, setting, topics, len(values), figures, runs)


@dataclass(frozen=True)
class RealTrack:
    """The study of a real track with people's grades only, and which pairs each run has on top."""

    study: Study
    is_top: Flags

    @classmethod
    def read(cls, folder: Path, level: int) -> RealTrack:
        """Read runs and qrels. The first letters of a tag stand for its team."""
        (path,) = folder.glob("*qrels.gz")
        people = Qrels.from_file(str(path), name="people")
        scale = tuple(range(int(people.grades.max()) + 1))
        tags = {each: each.name.removesuffix(".gz") for each in sorted((folder / "runs").glob("*.gz"))}
        runs = [ReportRun(tag, _team(tag), ()) for tag in tags.values()]
        rankings = (Rankings.from_file(str(each), tag=tag) for each, tag in tags.items())
        design = Design(scale, level, MEASURES)
        study = study_of(design, runs, rankings, [_graded("people", people)])
        is_top = np.zeros((len(study.runs), study.topic_of_pair.size), dtype=np.bool_)
        for row, found in zip(is_top, study.retrieved, strict=True):
            row[found.pairs[found.ranks < TOP]] = True
        return cls(study, is_top)

    def draw(self, errors: Floats, family: str, rng: np.random.Generator) -> Study:
        """The study with a family "A" of half of the teams, and a judge with these errors."""
        study = self.study
        teams = np.array([run.team for run in study.runs])
        members = self._members(family, teams, rng)
        runs = [replace(run, families=("A" if run.team in members else "B",)) for run in study.runs]
        people = np.maximum(study.grades[PEOPLE], 0)
        own = drawn_grades(people, study.topic_of_pair, errors, rng)
        grades = np.where(study.grades[PEOPLE] >= 0, [people, own], ABSENT)
        graded = study.judgments(grades[1])
        values = np.array([graded.values(found, MEASURES) for found in study.retrieved]).swapaxes(0, 1)
        judge = replace(study.sets[PEOPLE], facts={**study.sets[PEOPLE].facts, "name": "judge"})
        drawn = replace(
            study,
            design=replace(study.design, seed=int(rng.integers(2**31))),
            runs=tuple(runs),
            sets=(study.sets[PEOPLE], judge),
            is_judged=study.is_judged[[PEOPLE, PEOPLE]],
            grades=grades,
            raw_scores=np.full(grades.shape, np.nan),
            values=np.array([study.values[PEOPLE], values]),
            _sampled={},
            _shared={},
        )
        drawn.__dict__["pair_order"] = study.pair_order  # the pairs are the same, and sorting them takes long
        return drawn

    def _members(self, family: str, teams: np.ndarray, rng: np.random.Generator) -> set[str]:
        """Half of the teams: random ones, those with the lowest means by people, or the most similar."""
        names = np.unique(teams)
        if family == FAMILIES[0]:
            key = rng.random(names.size)
        else:
            of_run = self.study.means(PEOPLE, 0) if family == FAMILIES[1] else self._likeness()
            key = np.array([of_run[teams == name].mean() for name in names])
        return set(names[np.argsort(key)[: names.size // 2]].tolist())

    def _likeness(self) -> Floats:
        """The first principal component of what the runs have on top: it splits them into two kinds."""
        rows = self.is_top[:, self.is_top.any(axis=0)].astype(np.float64)
        left, *_ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
        component: Floats = left[:, 0]
        return component


def _team(tag: str) -> str:
    found = re.match("[A-Za-z]{1,3}", tag)
    return (found[0] if found else tag).lower()


def _graded(name: str, qrels: Qrels) -> GradedSet:
    facts = {"name": name, "kind": "human", "sha256": qrels.sha256}
    return GradedSet(facts, qrels)
