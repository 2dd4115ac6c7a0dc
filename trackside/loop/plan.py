"""A plan: what is estimated, how pairs are drawn, when to stop. And people's grades of its pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from trackside.arrays import Flags, Ints
from trackside.errors import InputError
from trackside.loop.claims import Aim
from trackside.loop.orders import RECIPES
from trackside.loop.targets import offered_measure
from trackside.pooling.universe import Universe

FORMAT = 1
RULES = ("adjudicated", "median")
SMALLEST_BATCH = 30


@dataclass(frozen=True)
class Plan:
    """The settings. ``highest`` is people's highest grade; ``measures`` are names, the first guides the draw;
    ``sizes`` are those of the batches, with one look planned after each; ``rule`` says how several assessors'
    grades of a pair become one.
    """

    measures: tuple[str, ...]
    depth: int
    highest: int
    sizes: tuple[int, ...]
    seed: int = 0
    recipe: str = "influence"
    aim: Aim = field(default_factory=Aim)
    has_fixed_weights: bool = False
    rule: str = "adjudicated"

    def __post_init__(self) -> None:
        for name in self.measures:
            offered_measure(name, self.depth)
        if not self.sizes or min(self.sizes) < SMALLEST_BATCH:
            raise InputError(
                f"a batch of {min(self.sizes, default=0)} pairs is too small for an interval: give "
                f"{SMALLEST_BATCH} at least. Use fewer batches, or a larger --budget.",
                code="batch-too-small",
            )
        if self.recipe not in RECIPES:
            raise InputError(f"no recipe {self.recipe}. There are {', '.join(RECIPES)}.")

    def to_json(self) -> dict[str, Any]:
        """The plan as plain values."""
        return {"trackside plan": FORMAT} | asdict(self)

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Plan:
        """The plan of ``to_json``. Raises InputError for another format."""
        if values.get("trackside plan") != FORMAT:
            raise InputError("plan.json is not a plan of this version of trackside. Make a new plan.")
        known = {name: value for name, value in values.items() if name in cls.__dataclass_fields__}
        lists = {name: tuple(known[name]) for name in ("measures", "sizes")}
        return cls(**(known | lists | {"aim": Aim(**known["aim"])}))


@dataclass(frozen=True)
class Grades:
    """People's grades of a universe [pair], negative where there is none; ``cannot`` flags the pairs that
    nobody can grade. ``outside`` counts grades of other pairs.
    """

    values: Ints
    cannot: Flags
    outside: int = 0

    @classmethod
    def of(cls, universe: Universe, sets: Sequence[Mapping[str, Mapping[str, int]]], plan: Plan) -> Grades:
        """From qrels, where a negative grade means that nobody can grade the pair. Several sets are several
        assessors: the rule "median" takes the (lower) median. Raises InputError.
        """
        if len(sets) > 1 and plan.rule != "median":
            raise InputError(
                f"{len(sets)} files of grades, but the plan's rule is one adjudicated grade a pair. Give one "
                "file, or make a plan with --rule median."
            )
        found: dict[int, list[int]] = {}
        given = [(t, d, grade) for judgments in sets for t in judgments for d, grade in judgments[t].items()]
        for topic, docno, grade in given:
            if grade > plan.highest:
                raise InputError(
                    f"topic {topic}, {docno}: the grade is {grade}, above the plan's highest, {plan.highest}."
                    " Correct the grade, or make a plan with a higher --highest."
                )
            if (topic, docno) in universe.index:
                found.setdefault(universe.index[topic, docno], []).append(grade)
        values, cannot = np.full(universe.pair_count, -1), np.zeros(universe.pair_count, np.bool_)
        for number, several in found.items():
            usable = sorted(grade for grade in several if grade >= 0)
            cannot[number] = not usable
            values[number] = usable[(len(usable) - 1) // 2] if usable else -1
        return cls(values, cannot, len(given) - sum(map(len, found.values())))

    def filled(self, grade: int) -> Grades:
        """The same, with pairs that nobody can grade at this grade."""
        return Grades(np.where(self.cannot, grade, self.values), np.zeros_like(self.cannot), self.outside)
