"""How often a report of a real track says "favours" of judges that err like real ones and cannot see runs.

Runs and people's grades are those of the track, whose topics are drawn with replacement. A judge has the
errors of a language model on TREC DL 2020, drawn grade by grade without looking at runs
(`real_tracks.drawn_grades`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.measures.lookup import ABSENT
from evaluation.core.report.design import Design, GradedSet, ReportRun
from evaluation.core.report.favour.favours import find_favours
from evaluation.core.report.filling import study_of
from evaluation.core.report.retrieved import Retrieved
from evaluation.core.report.study import PEOPLE
from evaluation.core.trec_files import Qrels, Rankings
from tests.simulations.excess_teams import EXCESS
from tests.simulations.favours import SHARES, figure_of, verdicts_of
from tests.simulations.real import TRACKS, cases_folder
from tests.simulations.real_tracks import LEVELS, drawn_grades, errors_of
from tests.simulations.rows import COVERAGE, Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.favour.favours import Favours
    from evaluation.core.report.study import Study

MEASURES = ("nDCG@10",)
TOP = 10
FAVOURED = "favoured teams that retrieve alike"
FAMILIES = ("teams drawn at random", "weaker teams", "teams that retrieve alike", FAVOURED)
RAISED = 0.2
"""How often the judge raises by one the grade of an item that more favoured than other runs have on top."""

OTHERS = {"excess and excess grades, both significant over topics": "same sign", EXCESS: COVERAGE}


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
            every = map(find_favours, drawn)
            found = np.array(
                [[*verdicts_of(each), has_one_sign(each), _holds_zero(each)] for each in every],
                dtype=np.float64,
            )
            yield from _rows(track.study, name, family, found)


def _rows(study: Study, track: str, family: str, found: Floats) -> Iterator[Row]:
    is_null = family != FAVOURED
    for statistic, values in zip((*SHARES, *OTHERS), found.T, strict=True):
        if statistic == EXCESS and not is_null:
            continue
        known = values[~np.isnan(values)]
        share = float(known.mean()) if known.size else None
        name = OTHERS.get(statistic) or figure_of(statistic, is_null=is_null)
        figures = {name: share, "given": known.size / len(values)}
        size = len(study.topics), len(values), figures, len(study.runs)
        yield Row(statistic, f"{track}, {family}", *size)


def has_one_sign(favours: Favours) -> float | None:
    """Whether the excess and the excess grades have one sign; None unless both hold over topics."""
    (excess,) = [each.found.excess for each in favours.measures if each.family == "A"]
    (items,) = [each.found for each in favours.items if each.family == "A" and each.p is not None]
    if any(each.p_topics.value is None or each.p_topics.value > 0.05 for each in (excess, items)):
        return None
    return float((excess.value.value or 0.0) * (items.value.value or 0.0) > 0)


def _holds_zero(favours: Favours) -> float | None:
    """Whether the interval of the excess with other teams holds 0; None without an interval."""
    (interval,) = [each.found.crossed for each in favours.measures if each.family == "A"]
    if interval.low is None or interval.high is None:
        return None
    return float(interval.low <= 0 <= interval.high)


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
        """Topics drawn with replacement, a family "A" of half of the teams, and a judge with these errors."""
        study, copied = self._resampled(rng)
        teams = np.array([run.team for run in study.runs])
        members = self._members(family, teams, rng)
        # The other runs have no family: its tests would be those of "A" again.
        runs = [replace(run, families=("A",) if run.team in members else ()) for run in study.runs]
        people = np.maximum(study.grades[PEOPLE], 0)
        own = drawn_grades(people, study.topic_of_pair, errors, rng)
        if family == FAVOURED:
            is_raised = self._is_raised(teams, members, rng, copied)
            own = np.where(is_raised, np.minimum(own + 1, people.max()), own)
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
        drawn.__dict__["pair_order"] = np.arange(copied.size)  # they are sorted, and sorting takes long
        return drawn

    def _resampled(self, rng: np.random.Generator) -> tuple[Study, Ints]:
        """The study of topics drawn with replacement, and for each of its pairs the pair that it copies."""
        study, order = self.study, np.argsort(self.study.pair_order)
        count = len(study.topics)
        topics = rng.integers(0, count, count)
        copied, sizes = _rows_of(study.topic_of_pair[order], topics, count)
        copied, starts = order[copied], np.cumsum(sizes) - sizes
        first = np.searchsorted(study.topic_of_pair[order], np.arange(count))
        place = study.pair_order - first[study.topic_of_pair]  # of a pair within its topic
        retrieved = []
        for found in study.retrieved:
            rows, own = _rows_of(study.topic_of_pair[found.pairs], topics, count)
            pairs = place[found.pairs[rows]] + np.repeat(starts, own)
            retrieved.append(Retrieved(pairs, found.ranks[rows], found.counts[topics]))
        drawn = replace(
            study,
            topics=tuple(f"{at}" for at in range(count)),
            docnos=tuple(study.docnos[pair] for pair in copied.tolist()),
            topic_of_pair=np.repeat(np.arange(count), sizes),
            is_judged=study.is_judged[:, topics],
            grades=study.grades[:, copied],
            retrieved=tuple(retrieved),
            values=study.values[..., topics],
        )
        return drawn, copied

    def _members(self, family: str, teams: np.ndarray, rng: np.random.Generator) -> set[str]:
        """Half of the teams: random ones, those with the lowest means by people, or the most similar."""
        names = np.unique(teams)
        if family == FAMILIES[0]:
            key = rng.random(names.size)
        else:
            of_run = self.study.means(PEOPLE, 0) if family == FAMILIES[1] else self._likeness()
            key = np.array([of_run[teams == name].mean() for name in names])
        return set(names[np.argsort(key)[: names.size // 2]].tolist())

    def _is_raised(
        self, teams: np.ndarray, members: set[str], rng: np.random.Generator, pairs: Ints
    ) -> Flags:
        is_in = np.isin(teams, list(members))
        inside, outside = (self.is_top[side].mean(axis=0)[pairs] for side in (is_in, ~is_in))
        is_raised: Flags = (inside > outside) & (rng.random(inside.size) < RAISED)
        return is_raised

    def _likeness(self) -> Floats:
        """The first principal component of what the runs have on top: it splits them into two kinds."""
        rows = self.is_top[:, self.is_top.any(axis=0)].astype(np.float64)
        left, *_ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
        component: Floats = left[:, 0]
        return component


def _rows_of(topic_of_row: Ints, topics: Ints, count: int) -> tuple[Ints, Ints]:
    """The rows of each of these topics in turn, and their number; rows are sorted by topic."""
    sizes = np.bincount(topic_of_row, minlength=count)
    first, own = (np.cumsum(sizes) - sizes)[topics], sizes[topics]
    rows = np.repeat(first - (np.cumsum(own) - own), own) + np.arange(own.sum())
    return rows, own


def _team(tag: str) -> str:
    found = re.match("[A-Za-z]{1,3}", tag)
    return (found[0] if found else tag).lower()


def _graded(name: str, qrels: Qrels) -> GradedSet:
    facts = {"name": name, "kind": "human", "sha256": qrels.sha256}
    return GradedSet(facts, qrels)
