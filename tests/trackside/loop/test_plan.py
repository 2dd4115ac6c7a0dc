import json

import numpy as np
import pytest

from tests.refusals import refused
from trackside.errors import InputError
from trackside.loop.claims import Aim
from trackside.loop.plan import Grades, Plan
from trackside.pooling.universe import Universe

PLAN = Plan(("nDCG@5",), 5, 2, (30, 30, 31), seed=7, aim=Aim(half_width=0.02, top=3))
UNIVERSE = Universe.of({"run": {"1": ["a", "b"], "2": ["a"]}}, 5)


def test_plans_are_plain_values() -> None:
    assert Plan.of_json(json.loads(json.dumps(PLAN.to_json()))) == PLAN
    with pytest.raises(InputError, match="not a plan"):
        Plan.of_json({"trackside plan": 99})


def test_small_batches_and_unknown_recipes_are_refused() -> None:
    with refused("batch-too-small"):
        Plan(("P@5",), 5, 1, (30, 29))
    with refused("depth-too-small"):
        Plan(("P@10",), 5, 1, (30,))
    with pytest.raises(InputError, match="no recipe guess"):
        Plan(("P@5",), 5, 1, (30,), recipe="guess")


def test_negative_grades_mean_that_nobody_can_grade() -> None:
    grades = Grades.of(UNIVERSE, [{"1": {"a": 2, "b": -1, "x": 1}}], PLAN)
    assert grades.values.tolist() == [2, -1, -1]
    assert grades.cannot.tolist() == [False, True, False]
    assert grades.outside == 1
    assert grades.filled(2).values.tolist() == [2, 2, -1]
    assert not grades.filled(2).cannot.any()


def test_several_assessors_need_the_rule_of_the_median() -> None:
    sets = [{"1": {"a": 0}}, {"1": {"a": 2, "b": -1}}, {"1": {"a": 2, "b": 1}}]
    with pytest.raises(InputError, match="--rule median"):
        Grades.of(UNIVERSE, sets, PLAN)
    median = Plan(("P@5",), 5, 2, (30,), rule="median")
    assert Grades.of(UNIVERSE, sets, median).values.tolist() == [2, 1, -1]
    assert Grades.of(UNIVERSE, sets[:2], median).values.tolist() == [0, -1, -1]  # the lower of two


def test_grades_above_the_highest_are_refused() -> None:
    with pytest.raises(InputError, match="topic 2, a: the grade is 3"):
        Grades.of(UNIVERSE, [{"2": {"a": 3}}], PLAN)


def test_no_grades_are_no_grades() -> None:
    assert np.array_equal(Grades.of(UNIVERSE, [], PLAN).values, [-1, -1, -1])
