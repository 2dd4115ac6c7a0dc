"""Simulated assessors: they know the truth and grade it with errors of their own."""

import math
import random
from dataclasses import dataclass

from evaluation.config.demo.seeds import rng_of
from evaluation.config.demo.world import DemoTask

GIVEN = {0: (0.965, 0.03, 0.005), 1: (0.08, 0.85, 0.07), 2: (0.03, 0.12, 0.85)}
"""For each true grade the probabilities of giving 0, 1 and 2."""


@dataclass(frozen=True)
class SimulatedGrade:
    """A grade, and the seconds it would have taken."""

    grade: int
    active_seconds: float


def simulate_grade(task: DemoTask, topic: str, docno: str, *, is_second: bool, seed: int) -> SimulatedGrade:
    """Grade a pair as its topic's assessor, or as the second one.

    Simulated assessors differ in their dice alone, so it does not matter which of them has the topic.
    """
    rng = rng_of("grade", seed, "second" if is_second else "first", task.name, topic, docno)
    given = rng.choices((0, 1, 2), GIVEN[task.truth(topic, docno)])[0]
    return SimulatedGrade(given, _seconds(rng))


def _seconds(rng: random.Random) -> float:
    """Draw a time with a median of six seconds and a long tail."""
    return round(rng.lognormvariate(math.log(6), 0.5), 1)
