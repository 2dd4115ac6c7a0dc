"""Coverage for Relative Delta, for areas under curves, and for statements about other topics and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.sections.grading.grades import FALSE_RATES
from evaluation.core.statistics.estimate import Estimate, Interval
from evaluation.core.statistics.families.relative_delta import deltas_of_rows
from evaluation.core.statistics.raw_scores.classification import (
    average_precision,
    recall_at_false_rate,
    roc_area,
    thresholds,
)
from evaluation.core.statistics.raw_scores.curves import areas_over_topics
from evaluation.core.uncertainty import (
    crossed_interval,
    jackknife_ends,
    jackknife_interval,
    means_without_each,
)
from tests.simulations.means import TOPICS
from tests.simulations.rows import Coverage, Row
from tests.simulations.tracks import JUDGES, SPREADS, World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Flags, Floats, Ints

WORLDS = 20
MANY = 4_000  # tracks a world whose mean is the truth; fewer if they have more topics
RUNS = (8, 16, 37)
SIDES = ((8, 16), (10, 20), (8, 24), (8, 40))  # teams of the family, and all teams


def deltas(tracks: int, seed: int) -> Iterator[Row]:
    """Relative Delta of a third of the runs against the others: people's, and a judge's minus people's."""
    for setting, judge in JUDGES.items():
        for spread in SPREADS:
            for runs in RUNS:
                for topics in TOPICS:
                    random = np.random.default_rng(seed)
                    in_family = np.arange(runs) % 3 == 0
                    each = -(-tracks // WORLDS)
                    ends = {"people's": Coverage(), "difference": Coverage()}
                    for _ in range(WORLDS):
                        world = World.draw(random, runs, SPREADS[spread], judge)
                        _count(world, random, in_family, topics, each, ends)
                    for name, found in ends.items():
                        yield Row(
                            f"Relative Delta, {name}",
                            f"{setting}, {spread}",
                            topics,
                            tracks,
                            found.figures,
                            runs,
                        )


def _count(
    world: World,
    random: np.random.Generator,
    in_family: Flags,
    topics: int,
    each: int,
    coverage: dict[str, Coverage],
) -> None:
    many = [values.mean(axis=(0, 2))[None] for values in world.tracks(random, MANY // topics, topics)]
    truth = [float(deltas_of_rows(means, in_family)[0]) for means in many]
    found = []
    for values in world.tracks(random, each, topics):
        left_out = np.array([deltas_of_rows(means_without_each(track), in_family) for track in values])
        found.append((deltas_of_rows(values.mean(axis=2), in_family), left_out))
    people, judge = found
    for interval in jackknife_ends(*people, freedom="topics").intervals:
        coverage["people's"].add(interval, truth[0])
    differences = judge[0] - people[0], judge[1] - people[1]
    for interval in jackknife_ends(*differences, freedom="topics").intervals:
        coverage["difference"].add(interval, truth[1] - truth[0])


def areas(tracks: int, seed: int) -> Iterator[Row]:
    """Areas under curves and recall at false positive rates, over topics that differ in ease and leniency."""
    names = ("area, precision-recall", "area, ROC", *(f"recall at {rate:.0%} false" for rate in FALSE_RATES))
    for setting, (signal, of_topic, share) in {
        "good scores": (2.0, 0.3, 0.25),
        "poor scores": (0.5, 0.3, 0.25),
        "scores that drift by topic": (1.0, 1.0, 0.25),
        "few relevant": (1.0, 0.5, 0.05),
    }.items():
        random = np.random.default_rng(seed)
        truth = _areas(*_pairs(random, 4_000, signal, of_topic, share)[:2])
        for topics in TOPICS:
            coverage = [Coverage() for _ in names]
            for _ in range(tracks):
                found = areas_over_topics(*_pairs(random, topics, signal, of_topic, share), FALSE_RATES)
                for each, (value, left_out), true in zip(coverage, found, truth, strict=True):
                    each.add(jackknife_interval(value, left_out, scale="share"), true)
            for name, each in zip(names, coverage, strict=True):
                yield Row(name, setting, topics, tracks, each.figures, is_printed=name.startswith("area"))


def _pairs(
    random: np.random.Generator, topics: int, signal: float, of_topic: float, share: float
) -> tuple[Flags, Floats, Ints]:
    sizes = random.negative_binomial(4, 4 / (4 + 40), topics) + 10
    topic = np.repeat(np.arange(topics), sizes)
    easy = random.beta(2, 2 / share - 2, topics)[topic]
    relevant = random.random(topic.size) < easy
    scores = signal * relevant + random.normal(0, of_topic, topics)[topic] + random.normal(0, 1, topic.size)
    return relevant, scores, topic


def _areas(relevant: Flags, scores: Floats) -> list[float]:
    curve = thresholds(relevant, scores)
    found = [average_precision(curve), roc_area(curve)]
    found += [recall_at_false_rate(curve, rate) for rate in FALSE_RATES]
    return [each.value for each in found if each.value is not None]


def crossed(tracks: int, seed: int) -> Iterator[Row]:
    """The difference of two families' means, on other topics and with other teams.

    `shares` divide the variance of a value among topics, teams, runs, teams by topics and the rest.
    """
    settings = {
        "teams differ most": (0.3, 0.3, 0.1, 0.1, 0.2),
        "topics differ most": (0.6, 0.05, 0.05, 0.1, 0.2),
        "neither differs": (0.02, 0.02, 0.02, 0.04, 0.9),
        "teams do not differ": (0.3, 0.0, 0.0, 0.35, 0.35),
    }
    for setting, shares in settings.items():
        for side, teams in SIDES:
            for topics in TOPICS:
                random = np.random.default_rng(seed)
                coverage = Coverage()
                for _ in range(tracks):
                    coverage.add(_family_interval(*_table(random, teams, topics, shares), side), 0.0)
                described = f"{setting}, {side} of {teams} teams"
                yield Row("family less others", described, topics, tracks, coverage.figures)


def _table(
    random: np.random.Generator, teams: int, topics: int, shares: tuple[float, ...]
) -> tuple[Floats, Ints]:
    team = np.repeat(np.arange(teams), random.integers(1, 5, teams))
    runs = team.size
    parts = (
        random.normal(size=(1, topics)),
        random.normal(size=(teams, 1))[team],
        random.normal(size=(runs, 1)),
        random.normal(size=(teams, topics))[team],
        random.normal(size=(runs, topics)),
    )
    return sum(share**0.5 * part for share, part in zip(shares, parts, strict=True)) + 0.0, team


def _of_mean(values: Floats, team: Ints) -> tuple[float, Floats, Floats, Floats]:
    """The mean, and those without each topic, without each team, and [team, topic] without both."""
    teams, counts = np.unique(team, return_counts=True)
    sums = np.array([values[team == each].sum(axis=0) for each in teams])
    by_topic = (sums.sum(axis=0) - sums) / (team.size - counts)[:, None]
    both = means_without_each(by_topic).T
    return float(values.mean()), means_without_each(values).mean(axis=1), by_topic.mean(axis=1), both


def _family_interval(values: Floats, team: Ints, side: int) -> Interval:
    is_in = team < side
    one, two = _of_mean(values[is_in], team[is_in]), _of_mean(values[~is_in], team[~is_in])
    without_team = [one[2] - two[0], one[0] - two[2]]
    both = [one[3] - two[1], one[1] - two[3]]
    counts = [np.unique(team[rows], return_counts=True)[1] for rows in (is_in, ~is_in)]
    return crossed_interval(Estimate.of(one[0] - two[0]), one[1] - two[1], without_team, both, counts)
