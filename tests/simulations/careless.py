"""How often careless and honest assessors are named by the guards of a release."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from assessment.core.carelessness import is_straight, is_too_fast, people_at_chance
from tests.simulations.rows import Row
from trackside.arrays import Floats, Ints

SCALE = (0, 1, 2)
TOPICS = 10
COMMON, RARE = (0.6, 0.25, 0.15), (0.89, 0.08, 0.03)  # shares of the grades; the second as in the demo
SECONDS = {"fast": 0.4, "careful": 3.0}  # medians

ITEMS = (60, 120, 300)  # that four assessors share
KAPPAS = (0.4, 0.6, 0.75, 0.9)
GRADES = {"mixed grades": COMMON, "89 % zeros": RARE}
Assessor = Callable[[Ints, Floats, np.random.Generator], Ints]


def honest(kappa: float) -> Assessor:
    """Two of them agree with this kappa: each sees the truth in sqrt(kappa) of the items, else guesses."""

    def grade(truth: Ints, shares: Floats, dice: np.random.Generator) -> Ints:
        is_seen = dice.random(truth.size) < np.sqrt(kappa)
        return np.where(is_seen, truth, dice.choice(len(SCALE), size=truth.size, p=shares))

    return grade


def at_random(truth: Ints, _shares: Floats, dice: np.random.Generator) -> Ints:
    """Any key."""
    return dice.integers(len(SCALE), size=truth.size)


def in_proportion(truth: Ints, shares: Floats, dice: np.random.Generator) -> Ints:
    """Any key, each as often as others use it."""
    return dice.choice(len(SCALE), size=truth.size, p=shares)


def straight(truth: Ints, _shares: Floats, _dice: np.random.Generator) -> Ints:
    """Always the lowest grade."""
    return np.zeros_like(truth)


CARELESS: dict[str, Assessor] = {"random": at_random, "in proportion": in_proportion, "straight": straight}


def named(
    first: Assessor,
    other: Assessor,
    shares: tuple[float, ...],
    dice: np.random.Generator,
    *,
    items: int = 300,
) -> set[int]:
    """Return who of four assessors is named: the first beside three others, all on the same items."""
    # Topics differ in how much is relevant, as real ones do.
    of_topics = dice.dirichlet(20 * np.array(shares), size=TOPICS)
    topics = np.arange(items) % TOPICS
    truth = (dice.random(items)[:, None] > of_topics.cumsum(axis=1)[topics, :-1]).sum(axis=1)
    overall = np.bincount(truth, minlength=len(SCALE)) / items
    grades = [first(truth, overall, dice), *(other(truth, overall, dice) for _ in range(3))]
    shared = {}
    for one, two in combinations(range(4), 2):
        matrix = np.zeros((len(SCALE), len(SCALE)), dtype=np.int64)
        np.add.at(matrix, (grades[one], grades[two]), 1)
        shared[one, two] = matrix
    found = {person for people, _ in people_at_chance(shared, SCALE) for person in people}
    by_topic = [
        {str(topic): np.bincount(of_person[topics == topic], minlength=len(SCALE)) for topic in range(TOPICS)}
        for of_person in grades
    ]
    for person, own in enumerate(by_topic):
        rest = [by_topic[each] for each in range(4) if each != person]
        others = {topic: np.sum([each[topic] for each in rest], axis=0) for topic in own}
        found |= {person} if is_straight(own, others) else set()
    return found


def share_named(
    first: Assessor, other: Assessor, shares: tuple[float, ...], *, times: int, seed: int, items: int = 300
) -> float:
    """Return how often the first assessor is named."""
    dice = np.random.default_rng(seed)
    return sum(0 in named(first, other, shares, dice, items=items) for _ in range(times)) / times


def share_fast(median: float, *, times: int, seed: int, items: int = 300) -> float:
    """Return how often a person with this median of log-normal seconds is named for speed."""
    dice = np.random.default_rng(seed)
    drawn = dice.lognormal(np.log(median), 0.8, size=(times, items))
    return sum(is_too_fast(float(np.median(of_person)), items) for of_person in drawn) / times


def careless(tracks: int, seed: int) -> Iterator[Row]:
    """How often one assessor of four is named: a careless one beside honest ones, or an honest one."""
    for setting, shares in GRADES.items():
        pairs = {f"careless: {kind}": (grade, honest(0.6)) for kind, grade in CARELESS.items()}
        pairs |= {f"honest: kappa {kappa}": (honest(kappa), honest(kappa)) for kappa in KAPPAS}
        for name, (first, other) in pairs.items():
            figures = {
                f"{items} items": share_named(first, other, shares, times=tracks, seed=seed, items=items)
                for items in ITEMS
            }
            yield Row(name, setting, tracks, figures)
    for name, kind in (("careless: too fast", "fast"), ("honest: 3 s an item", "careful")):
        figures = {
            f"{items} items": share_fast(SECONDS[kind], times=tracks, seed=seed, items=items)
            for items in ITEMS
        }
        yield Row(name, "any grades", tracks, figures)
