"""Simulated assessors: they know the truth and grade it with errors of their own."""

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.config.demo.seeds import rng_of
from evaluation.config.demo.world import DemoTask

ASSESSORS = ("sim-1", "sim-2", "sim-3", "sim-4")
GIVEN = {0: (0.965, 0.03, 0.005), 1: (0.08, 0.85, 0.07), 2: (0.03, 0.12, 0.85)}
"""For each true grade the probabilities of giving 0, 1 and 2."""
TWICE_EVERY = 4
"""Every so many topics are graded by a second assessor too."""


@dataclass(frozen=True)
class SimulatedGrade:
    """One grade of one simulated assessor, and the seconds it would have taken."""

    topic: str
    docno: str
    assessor: str
    grade: int
    active_seconds: float


def simulate_grades(task: DemoTask, pairs: Iterable[tuple[str, str]], seed: int) -> list[SimulatedGrade]:
    """Grade these pairs (topic, docno): each once, those of a quarter of the topics by two assessors.

    A grade depends on the seed, the assessor and the pair alone, not on the other pairs or their order.
    """
    return [
        _grade(task, topic, docno, assessor, seed)
        for topic, docno in pairs
        for assessor in assessors_of(task, topic)
    ]


def assessors_of(task: DemoTask, topic: str) -> tuple[str, ...]:
    """Name the topic's assessor, and the second one where there is one."""
    place = list(task.topic_by_id).index(topic)
    first, second = (ASSESSORS[(place + step) % len(ASSESSORS)] for step in (0, 1))
    return (first, second) if place % TWICE_EVERY == 0 else (first,)


def _grade(task: DemoTask, topic: str, docno: str, assessor: str, seed: int) -> SimulatedGrade:
    rng = rng_of("grade", seed, assessor, task.name, topic, docno)
    given = rng.choices((0, 1, 2), GIVEN[task.truth(topic, docno)])[0]
    return SimulatedGrade(topic, docno, assessor, given, _seconds(rng))


def _seconds(rng: random.Random) -> float:
    """Draw a time with a median of six seconds and a long tail."""
    return round(rng.lognormvariate(math.log(6), 0.5), 1)
