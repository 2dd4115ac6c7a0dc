"""How often bad work of many kinds, and honest work, is named by the guard of the assessors."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tests.simulations.rows import Row
from trackside.arrays import Flags, Floats, Ints
from trackside.statistics.suspects import Work, find_suspects

SIZE = 3  # grades
ITEMS = 300  # of the assessor under test
LONG = 0.3  # share of long texts
SETTINGS = (  # share of items graded twice, share of gold, share of lowest grades
    (0.2, 0.0, 0.6),
    (0.2, 0.0, 0.9),
    (0.2, 0.0, 0.99),
    (0.0, 0.05, 0.6),
    (0.0, 0.05, 0.9),
    (0.2, 0.05, 0.6),
    (0.1, 0.0, 0.6),
    (1.0, 0.0, 0.9),
    (0.0, 0.0, 0.6),
)
EARLY = 150  # bad items


@dataclass(frozen=True)
class Person:
    """Slips to neighbours and leniency of an honest assessor; fewer on zeros where few items are not 0."""

    slip: float
    leniency: float

    @classmethod
    def drawn(cls, dice: np.random.Generator) -> "Person":
        return cls(dice.uniform(0.08, 0.2), dice.uniform(0, 0.15))

    def grades(self, truth: Ints, zeros: float, dice: np.random.Generator) -> Ints:
        few = np.where(truth == 0, min(1.0, (1 - zeros) / 0.4), 1.0)
        slips = dice.random(truth.size) < self.slip * few
        step = np.where(truth == 0, 1, np.where(truth == SIZE - 1, -1, dice.choice([-1, 1], truth.size)))
        raised = dice.random(truth.size) < self.leniency * few
        return np.minimum(truth + slips * step + raised, SIZE - 1)


@dataclass(frozen=True)
class Sitting:
    """What a person under test would have given honestly, the truth, which texts are long, and dice."""

    honest: Ints
    truth: Ints
    is_long: Flags
    dice: np.random.Generator

    @property
    def keys(self) -> Ints:
        return self.dice.integers(SIZE, size=self.honest.size)

    def mixed(self, is_bad: Flags, bad: Ints) -> tuple[Ints, Flags]:
        """The grades, and which of them are bad work."""
        return np.where(is_bad, bad, self.honest), is_bad

    def from_share(self, share: float) -> Flags:
        return np.arange(self.honest.size) >= share * self.honest.size

    def some(self, chances: float | Floats) -> Flags:
        return self.dice.random(self.honest.size) < chances


def _all(sitting: Sitting) -> Flags:
    return np.ones(sitting.honest.size, dtype=bool)


Behaviour = Callable[[Sitting], tuple[Ints, Flags]]
HONEST: dict[str, Behaviour] = {
    "honest": lambda sitting: (sitting.honest, ~_all(sitting)),
    "honest and fast": lambda sitting: (sitting.honest, ~_all(sitting)),
}
BAD: dict[str, Behaviour] = {
    "random keys": lambda sitting: sitting.mixed(_all(sitting), sitting.keys),
    "random in the second half": lambda sitting: sitting.mixed(sitting.from_share(0.5), sitting.keys),
    "fast and random from 55 % on": lambda sitting: sitting.mixed(sitting.from_share(0.55), sitting.keys),
    "random in 60 % of the items": lambda sitting: sitting.mixed(sitting.some(0.6), sitting.keys),
    "one grade too high in 70 %": lambda sitting: sitting.mixed(
        sitting.some(0.7), np.minimum(sitting.honest + 1, SIZE - 1)
    ),
    "always 0": lambda sitting: sitting.mixed(_all(sitting), np.zeros_like(sitting.honest)),
    "scale turned round": lambda sitting: sitting.mixed(_all(sitting), SIZE - 1 - sitting.honest),
    "own shares without a look": lambda sitting: sitting.mixed(
        _all(sitting), sitting.dice.permutation(sitting.honest)
    ),
    "drifts to 0": lambda sitting: sitting.mixed(
        sitting.some(np.linspace(0, 1, sitting.honest.size)), np.zeros_like(sitting.honest)
    ),
    "tires: random keys rise to 60 %": lambda sitting: sitting.mixed(
        sitting.some(np.linspace(0, 0.6, sitting.honest.size)), sitting.keys
    ),
    "0 for all long texts": lambda sitting: sitting.mixed(sitting.is_long, np.zeros_like(sitting.honest)),
}
FAST = ("honest and fast", "fast and random from 55 % on")
AT_ONCE = (  # to be named within EARLY bad items
    "random in the second half",
    "fast and random from 55 % on",
    "random in 60 % of the items",
    "one grade too high in 70 %",
    "scale turned round",
)


def drawn_truth(count: int, zeros: float, dice: np.random.Generator) -> Ints:
    return dice.choice(SIZE, size=count, p=[zeros, 0.65 * (1 - zeros), 0.35 * (1 - zeros)])


def sat(
    name: str, behaviour: Behaviour, setting: tuple[float, float, float], dice: np.random.Generator
) -> tuple[dict[int, Work], Mapping[int, int], Flags]:
    """The work of the person under test, 0, and of three honest colleagues; gold; which items are bad."""
    overlap, gold_share, zeros = setting
    truth = drawn_truth(ITEMS, zeros, dice)
    honest = Person.drawn(dice).grades(truth, zeros, dice)
    grades, is_bad = behaviour(Sitting(honest, truth, dice.random(ITEMS) < LONG, dice))
    seconds = dice.lognormal(1.6, 0.5, ITEMS)
    if name in FAST:
        seconds[is_bad if is_bad.any() else slice(None)] = 0.3
    items = np.arange(ITEMS)
    colleague = np.where(dice.random(ITEMS) < overlap, dice.integers(1, 4, ITEMS), 0)
    works = {0: Work(items, grades, seconds)}
    for person in (1, 2, 3):
        own = items[colleague == person]
        given = Person.drawn(dice).grades(truth[own], zeros, dice)
        works[person] = Work(own, given, np.full(own.size, 5.0))
    gold = {int(item): int(truth[item]) for item in items[dice.random(ITEMS) < gold_share]}
    return works, gold, is_bad


def named(works: Mapping[int, Work], gold: Mapping[int, int]) -> set[int]:
    found = find_suspects(works, gold, SIZE)
    return {person for suspect in found.suspects for person in suspect.people}


def until(work: Work, count: int) -> Work:
    return Work(work.items[:count], work.grades[:count], work.seconds[:count])


def ten_honest(zeros: float, dice: np.random.Generator, *, people: int = 10) -> dict[int, Work]:
    """Ten honest people with 300 items each, 20 % of them graded by one of the others, too."""
    truth = drawn_truth(people * ITEMS, zeros, dice)
    owner = np.arange(people * ITEMS) // ITEMS
    second = (owner + dice.integers(1, people, owner.size)) % people
    is_twice = dice.random(owner.size) < 0.2
    works = {}
    for person in range(people):
        items = dice.permutation(np.flatnonzero((owner == person) | (is_twice & (second == person))))
        grades = Person.drawn(dice).grades(truth[items], zeros, dice)
        works[person] = Work(items, grades, dice.lognormal(1.6, 0.5, items.size))
    return works


def copied(zeros: float, dice: np.random.Generator, *, shared: int) -> dict[int, Work]:
    """Two people, one of whom copies, and a third; all grade the same items."""
    truth = drawn_truth(shared, zeros, dice)
    one, other = (Person.drawn(dice).grades(truth, zeros, dice) for _ in range(2))
    items, seconds = np.arange(shared), np.full(shared, 5.0)
    return {number: Work(items, grades, seconds) for number, grades in enumerate((one, one, other))}


def careless(tracks: int, seed: int) -> Iterator[Row]:
    """How often one of four assessors is named, how often any of ten honest ones, and a pair that copies."""
    for setting in SETTINGS:
        words = "{:.0%} graded twice, {:.0%} gold, {:.0%} zeros".format(*setting)
        for name, behaviour in (HONEST | BAD).items():
            yield Row(name, words, tracks, _figures(name, behaviour, setting, tracks, seed))
    for zeros in (0.99, 0.97, 0.9, 0.6):
        dice = np.random.default_rng(seed)
        counts = [len(named(ten_honest(zeros, dice), {})) for _ in range(tracks)]
        figures = {
            "any named": float(np.mean(np.array(counts) > 0)),
            "a person named": sum(counts) / tracks / 10,
        }
        yield Row("ten honest", f"20% graded twice, {zeros:.0%} zeros", tracks, figures)
    for zeros, shared in ((0.6, 60), (0.6, 120), (0.6, 300), (0.9, 300)):
        dice = np.random.default_rng(seed)
        share = np.mean([{0, 1} <= named(copied(zeros, dice, shared=shared), {}) for _ in range(tracks)])
        yield Row("one copies another", f"{shared} items, {zeros:.0%} zeros", tracks, {"named": float(share)})


def _figures(
    name: str, behaviour: Behaviour, setting: tuple[float, float, float], tracks: int, seed: int
) -> dict[str, float | None]:
    dice = np.random.default_rng(seed)
    hits = early = others = pairs = 0
    for _ in range(tracks):
        works, gold, is_bad = sat(name, behaviour, setting, dice)
        found = [suspect.people for suspect in find_suspects(works, gold, SIZE).suspects]
        hits += any(0 in people for people in found)
        others += any(len(people) == 1 and people != (0,) for people in found)
        pairs += any(len(people) > 1 for people in found)  # of which one or both are meant
        if name in AT_ONCE:
            bad_count = np.flatnonzero(is_bad)
            end = int(bad_count[EARLY - 1]) + 1 if bad_count.size >= EARLY else ITEMS
            early += 0 in named(works | {0: until(works[0], end)}, gold)
    figures: dict[str, float | None] = {"named": hits / tracks, "a colleague named": others / tracks}
    figures["a pair named"] = pairs / tracks
    return figures | ({f"within {EARLY} bad items": early / tracks} if name in AT_ONCE else {})
