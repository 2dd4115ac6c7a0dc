"""Simulated assessors, who grade the true grade with random errors."""

import math
import random
from dataclasses import dataclass

from evaluation.demo.seeds import rng_of
from evaluation.demo.world import DemoTask

GIVEN = {0: (0.965, 0.03, 0.005), 1: (0.08, 0.85, 0.07), 2: (0.03, 0.12, 0.85)}
"""For each true grade the probabilities of giving 0, 1 and 2."""


@dataclass(frozen=True)
class SimulatedGrade:
    """A grade, and its simulated duration in seconds."""

    grade: int
    active_seconds: float


def simulate_grade(task: DemoTask, topic: str, docno: str, *, is_second: bool, seed: int) -> SimulatedGrade:
    """Grade a pair as its topic's assessor, or as the second one.

    Simulated assessors differ only in their random numbers, so any of them can have the topic.
    """
    rng = rng_of("grade", seed, "second" if is_second else "first", task.name, topic, docno)
    given = rng.choices((0, 1, 2), GIVEN[task.truth(topic, docno)])[0]
    return SimulatedGrade(given, _seconds(rng))


def _seconds(rng: random.Random) -> float:
    """Draw a duration with a median of six seconds and a long tail."""
    return round(rng.lognormvariate(math.log(6), 0.5), 1)
