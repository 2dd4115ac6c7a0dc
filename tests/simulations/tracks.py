"""Values of runs on topics drawn at random, under people and under a judge that errs in a known way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from trackside.arrays import Floats

SPREADS = {"close runs": 0.15, "spread runs": 0.6}
"""Standard deviation of the runs' strength, on the logistic scale."""

TEAM_SHARE = 0.5
"""Of the variance of the runs' strength, what runs of a team have in common."""

INTERACTION, DIFFICULTY, FLOOR = 0.7, 1.2, -1.5


@dataclass(frozen=True, slots=True)
class Judge:
    """How far a judge's values are from people's: its bias for single runs, as a share of the runs' spread,
    its leniency, its noise on each value, its leniency on single topics, and how much of people's differences
    of runs it sees."""

    bias: float
    shift: float
    noise: float
    topic_noise: float
    seen: float = 1.0


JUDGES = {
    "near people": Judge(0.0, 0.1, 0.15, 0.1),
    "lenient": Judge(0.1, 0.8, 0.4, 0.3),
    "harsh": Judge(0.1, -0.8, 0.4, 0.3),
    "noisy": Judge(0.3, 0.3, 1.2, 1.0),
    "biased": Judge(1.0, 0.3, 0.5, 0.3),
}
UNLIKE_PEOPLE = {
    "other order": Judge(3.0, 0.3, 0.5, 0.3, seen=0.0),
    "no order": Judge(0.0, 0.3, 1.5, 0.3, seen=0.0),
    "reversed": Judge(0.1, 0.3, 0.5, 0.3, seen=-1.0),
}


@dataclass(frozen=True, slots=True)
class World:
    """The true strength of each run and the judge's bias for it."""

    strength: Floats
    bias: Floats
    judge: Judge

    @classmethod
    def draw(cls, random: np.random.Generator, runs: int, spread: float, judge: Judge) -> World:
        """Runs of teams of one to four."""
        team = np.repeat(np.arange(runs), random.integers(1, 5, runs))[:runs]
        shared = random.normal(0, 1, (2, runs))[:, team]
        own = random.normal(0, 1, (2, runs))
        strength, bias = TEAM_SHARE**0.5 * shared + (1 - TEAM_SHARE) ** 0.5 * own
        return cls(spread * strength, judge.bias * spread * bias, judge)

    def tracks(self, random: np.random.Generator, count: int, topics: int) -> tuple[Floats, Floats]:
        """Values (tracks, runs, topics) under people and under the judge."""
        people = self.people(random, count, topics)
        return values_of(people), values_of(self.judged(random, people))

    def people(self, random: np.random.Generator, count: int, topics: int) -> Floats:
        """People's values on the logistic scale."""
        runs = self.strength.size
        topic = random.normal(-0.4, DIFFICULTY, (count, 1, topics))
        return topic + self.strength[:, None] + random.normal(0, INTERACTION, (count, runs, topics))

    def judged(self, random: np.random.Generator, people: Floats) -> Floats:
        """A judge's values on the logistic scale."""
        count, _, topics = people.shape
        of_topic = random.normal(self.judge.shift, self.judge.topic_noise, (count, 1, topics))
        own = random.normal(0, self.judge.noise, people.shape)
        mean = people.mean(axis=1, keepdims=True)
        judged: Floats = mean + self.judge.seen * (people - mean) + self.bias[:, None] + of_topic + own
        return judged


def values_of(latent: Floats) -> Floats:
    """Values between 0 and 1, with zeros for failed topics."""
    return np.where(latent < FLOOR, 0.0, expit(1.7 * latent))
