"""Tracks drawn at random: runs of teams and families over graded items, and judges that err in known ways.

Runs of a family share noise, and so do runs of a team, so that they retrieve the same items as real ones do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.core.arrays import Floats, Ints
from evaluation.core.report.design import Design, GradedSet, ReportRun
from evaluation.core.report.retrieved import GradedPairs, Retrieved
from evaluation.core.report.study import Study
from evaluation.core.trec_files import Qrels

SCALE = (0, 1, 2)
DOCS, DEPTH = 40, 20  # items of a topic, and results of a run on it
SHARES = (0.65, 0.2, 0.15)  # of people's grades
# Rows: people's grade; columns: how often a judge gives 0, 1 and 2.
CONFUSIONS = {
    "good": ((0.88, 0.09, 0.03), (0.2, 0.6, 0.2), (0.05, 0.25, 0.7)),
    "lenient": ((0.5, 0.3, 0.2), (0.1, 0.4, 0.5), (0.02, 0.13, 0.85)),
    "harsh": ((0.97, 0.02, 0.01), (0.6, 0.35, 0.05), (0.3, 0.4, 0.3)),
    "noisy": ((0.5, 0.28, 0.22), (0.42, 0.33, 0.25), (0.36, 0.34, 0.3)),
    "right": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "one more": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)),
    "one less": ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
}


@dataclass(frozen=True)
class Setting:
    """How a track is drawn: ``spread`` is how far runs differ in quality, ``gap`` how much better the family
    is.

    ``uneven`` is how much the judge's leniency differs between topics; with ``other_judge``, that one grades
    half of the topics. ``favour`` is how often the judge raises by one the grade of an item that the family
    has in its first ten and most others have not. ``members`` is how many teams the family has; half of them
    unless given. Runs and the judge see true grades; ``assessor`` is how people err, if they do.
    """

    topics: int = 50
    teams: int = 9
    spread: float = 0.25
    gap: float = 0.0
    judge: str = "lenient"
    uneven: float = 0.0
    other_judge: str = ""
    favour: float = 0.0
    is_random_family: bool = False
    members: int | None = None
    assessor: str = ""


@dataclass(frozen=True)
class Population:
    """A drawn track: grades [topic, item] by people and each judge, and items of each run in rank order."""

    graded: tuple[Ints, ...]
    runs: list[Ints]
    described: tuple[ReportRun, ...]

    def study(self, topics: Ints, **design: Any) -> Study:
        """The study of some of its topics."""
        return _study(
            topics.size,
            tuple(each[topics] for each in self.graded),
            [items[topics] for items in self.runs],
            self.described,
            **design,
        )


def draw_study(setting: Setting, seed: int, *, draws_by: str = "overall") -> Study:
    """A track of 1 to 3 runs a team, half of whose teams are in the family "A"."""
    population = draw_population(setting, np.random.default_rng(seed))
    return population.study(np.arange(setting.topics), seed=seed, run_blind=draws_by)


def draw_population(setting: Setting, rng: np.random.Generator, *, judges: int = 1) -> Population:
    """The same with several judges that err alike but independently."""
    people = rng.choice(SCALE, size=(setting.topics, DOCS), p=SHARES)
    members = setting.teams // 2 if setting.members is None else setting.members
    in_family = rng.permutation(np.arange(setting.teams) < members)
    team_of = np.repeat(np.arange(setting.teams), rng.integers(1, 4, setting.teams))
    # The family's runs also share noise if another family is drawn for the report.
    runs = _runs(setting, rng, people, team_of, in_family)
    if setting.is_random_family:
        in_family = rng.permutation(in_family)
    models = [_judge(setting, rng, people, runs, in_family[team_of]) for _ in range(judges)]
    described = tuple(
        ReportRun(f"r{at:02d}", f"t{team}", ("A",) if in_family[team] else ("B",))
        for at, team in enumerate(team_of.tolist())
    )
    if setting.assessor:
        people = _drawn(rng, np.array(CONFUSIONS[setting.assessor])[people])
    return Population((people, *models), runs, described)


def _runs(
    setting: Setting, rng: np.random.Generator, people: Ints, team_of: Ints, in_family: Ints
) -> list[Ints]:
    """Items of each run in rank order, [topic, rank]."""
    shape = people.shape
    shared = rng.normal(size=(2, *shape))
    of_team = rng.normal(size=(setting.teams, *shape))
    skill = 0.9 + setting.spread * rng.normal(size=setting.teams) + setting.gap * in_family
    runs = []
    for team in team_of.tolist():
        noise = 0.8 * shared[int(in_family[team])] + 0.6 * of_team[team] + 0.5 * rng.normal(size=shape)
        scores = skill[team] * people + noise
        runs.append(np.argsort(-scores, axis=1)[:, :DEPTH])
    return runs


def _judge(
    setting: Setting, rng: np.random.Generator, people: Ints, runs: list[Ints], in_family: Ints
) -> Ints:
    chances = np.array(CONFUSIONS[setting.judge])[people]
    if setting.other_judge:
        is_other = rng.random(len(people)) < 0.5
        chances[is_other] = np.array(CONFUSIONS[setting.other_judge])[people[is_other]]
    if setting.uneven:
        tilt = np.exp(setting.uneven * rng.normal(size=(len(people), 1, 1)) * np.array([-1.0, 0.0, 1.0]))
        chances = chances * tilt
        chances /= chances.sum(axis=2, keepdims=True)
    grades = _drawn(rng, chances)
    if setting.favour:
        seen = np.zeros((2, *people.shape))
        for items, is_in in zip(runs, in_family.tolist(), strict=True):
            np.add.at(seen[int(is_in)], (np.arange(len(people))[:, None], items[:, :10]), 1)
        shares = seen / np.array([max((~in_family).sum(), 1), max(in_family.sum(), 1)])[:, None, None]
        is_raised = (shares[1] > shares[0] + 0.2) & (rng.random(people.shape) < setting.favour)
        grades = np.minimum(grades + is_raised, SCALE[-1])
    return grades


def _drawn(rng: np.random.Generator, chances: Floats) -> Ints:
    """A grade of each item by its chances [topic, item, grade]."""
    drawn = (rng.random(chances.shape[:2])[..., None] > chances.cumsum(axis=2)).sum(axis=2)
    grades: Ints = np.minimum(drawn, SCALE[-1])
    return grades


def _study(
    topic_count: int,
    graded: tuple[Ints, ...],
    runs: list[Ints],
    described: tuple[ReportRun, ...],
    **design: Any,
) -> Study:
    """A study as ``study_of`` would make it, without files."""
    size = topic_count * DOCS
    topic_of_pair = np.repeat(np.arange(topic_count), DOCS)
    grades = np.array([each.ravel() for each in graded])
    offsets = np.arange(topic_count)[:, None] * DOCS
    ranks = np.tile(np.arange(DEPTH), topic_count)
    retrieved = tuple(
        Retrieved((items + offsets).ravel(), ranks, np.full(topic_count, DEPTH)) for items in runs
    )
    measures = ("nDCG@10",)
    values = np.array(
        [
            [GradedPairs(own, topic_of_pair, topic_count).values(each, measures) for each in retrieved]
            for own in grades
        ]
    ).swapaxes(1, 2)
    return Study(
        Design(SCALE, 1, measures, **design),
        described,
        (_graded_set("people", "human"), *(_graded_set(name, "model") for name in _names(len(graded) - 1))),
        tuple(f"{topic:03d}" for topic in range(topic_count)),
        tuple(f"d{pair:05d}" for pair in range(size)),
        topic_of_pair,
        np.ones((len(graded), topic_count), dtype=np.bool_),
        grades,
        np.full((len(graded), size), np.nan),
        retrieved,
        values,
    )


def _names(judges: int) -> list[str]:
    return ["judge", *(f"judge {at}" for at in range(2, judges + 1))]


def _graded_set(name: str, kind: str) -> GradedSet:
    facts = {"name": name, "kind": kind, "sha256": "0" * 64, "pair_count": 0, "graded_count": 0}
    return GradedSet(facts, Qrels.from_dict({}, name=name))
