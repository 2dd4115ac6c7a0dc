"""What a favour would take, by both directions of the instrument, on tracks of an independent oracle."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.oracles.shared import shared_folder
from tests.oracles.test_five_questions import Case
from trackside.arrays import Flags, Ints
from trackside.findings.results import DirectionFinding, FamilyFinding
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.questions import judge_findings
from trackside.reporting.study import Study

CASES = ("planted-favour", "people-miss", "honest-judge", "second-on-a-part")


def five() -> ModuleType:
    """The oracle's module: numpy and scipy, no code of ours."""
    spec = importlib.util.spec_from_file_location("five", shared_folder("statistics3") / "five.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def directions(study: Study, family: str) -> list[dict[str, float]]:
    """Corrected coefficient, ends, mean slope and least F of people's grades, and of the second's."""
    oracle, second, judge = five(), study.seconds[0], study.judges[0]
    is_shared = np.asarray((study.grades[[0, judge]] >= 0).all(axis=0))
    people, model, other = (study.grades[index][is_shared] for index in (0, judge, second))
    topics = np.unique(study.topic_of_pair[is_shared], return_inverse=True)[1]
    exposure = exposures(oracle, study, is_shared, family)
    is_twice = other >= 0
    rows = ((people, other, np.ones_like(is_twice)), (other, people, is_twice))
    found = []
    for graded, instrument, keep in rows:
        sets = [grades[keep] for grades in (model, graded, instrument, exposure, topics)]
        favour = oracle.favour(*sets, int(topics.max()) + 1)
        slope = float(np.mean(oracle.iv(*sets)["coefficients"][:-1]))
        found.append(
            {
                "corrected": favour["corrected"],
                "low": favour["corrected_low"],
                "high": favour["corrected_high"],
                "slope": slope,
                "first_stage": min(favour["first_stage"]),
            }
        )
    return found


def exposures(oracle: ModuleType, study: Study, is_shared: Flags, family: str) -> Ints:
    """The oracle's exposure of the shared pairs, from [run, topic, rank] tables of pairs."""
    pair = np.cumsum(is_shared) - 1
    table = np.full((len(study.runs), len(study.topics), 10), -1)
    for run, retrieved in enumerate(study.retrieved):
        for index, rank in zip(retrieved.pairs.tolist(), retrieved.ranks.tolist(), strict=True):
            if rank < 10 and is_shared[index]:
                table[run, study.topic_of_pair[index], rank] = pair[index]
    exposure: Ints = oracle.exposure(table, study.in_family(family), int(is_shared.sum()))
    return exposure


@pytest.mark.parametrize("name", CASES)
def test_both_directions_equal_the_oracle(name: str) -> None:
    study = study_of_case(shared_folder("cases", "statistics3") / f"{name}.json")
    for finding in judge_findings(study, study.judges[0], hardly_graded(study)).families:
        if finding.measure == study.measures[0]:
            check(finding, directions(study, finding.family))


def study_of_case(path: Path) -> Study:
    return Case(json.loads(path.read_text())).study(1)


def check(finding: FamilyFinding, expected: list[dict[str, float]]) -> None:
    takes = finding.takes
    assert takes is not None
    for direction, numbers in zip((takes.people, takes.second), expected, strict=True):
        assert isinstance(direction, DirectionFinding)
        for name, value in numbers.items():
            assert getattr(direction, name) == pytest.approx(value, abs=1e-9, rel=1e-9)
    is_said = (
        (finding.low or 0) > 0
        and all(numbers["slope"] >= 0.2 for numbers in expected)
        and all(numbers["first_stage"] >= 5 for numbers in expected)
        and all(numbers["low"] > 0 for numbers in expected)
    )
    assert (takes.too_low is not None, takes.reason is None, finding.tipping is None) == (is_said,) * 3
    if is_said:
        too_low, at_least = (min(row[end] / row["slope"] for row in expected) for end in ("corrected", "low"))
        assert takes.too_low == pytest.approx(too_low, abs=1e-9)
        assert takes.at_least == pytest.approx(at_least, abs=1e-9)
