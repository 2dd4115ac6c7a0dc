"""Options and files that no function of the library can use are named in an InputError."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import trackside

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = {"one": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}, "two": {"1": {"b": 1.0}, "2": {"b": 1.0}}}
PEOPLE = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 2}}
JUDGE = {"judge": {"1": {"a": 0, "b": 1}, "2": {"a": 1, "b": 1}}}


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"measures": None}, "a NoneType is not a measure"),
        ({"measures": [5]}, "a int is not a measure"),
        ({"level": 1.5}, "level 1.5: give a whole number"),
        ({"level": "1"}, "level '1': give a whole number"),
        ({"max_results": 1.5}, "max_results 1.5: give a whole number"),
        ({"measures": "nDCG", "gains": {"1": 3}}, "gains '1'"),
        ({"measures": "nDCG", "gains": {1: float("nan")}}, "gains 1"),
    ],
)
def test_evaluate_names_options_that_are_no_numbers_or_measures(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(trackside.InputError) as caught:
        trackside.evaluate(RUNS, PEOPLE, **options)
    assert fault in str(caught.value)


@pytest.mark.parametrize("measures", [{"RR"}, np.array(["RR"]), ("RR",), iter(["RR"])])
def test_measures_may_come_in_any_iterable(measures: Any) -> None:
    assert trackside.evaluate(RUNS, PEOPLE, measures).means()[:, 0, 0].tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"test": "z"}, "test z: choose one of t, wilcoxon, sign, randomisation, tukey, randomised-tukey"),
        ({"correct": "z"}, "correct z: choose one of bonferroni, holm, BH, BY, None"),
        ({"alpha": "x"}, "alpha x: give a level between 0 and 1"),
        ({"measure": ["AP", "RR"]}, "a list is not a measure"),
    ],
)
def test_compare_names_unknown_tests_and_corrections(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(trackside.InputError) as caught:
        trackside.compare(RUNS, PEOPLE, **options)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"raw_scores": {"judge": {("1", "a"): float("inf")}}}, "raw scores of judge: inf of ('1', 'a')"),
        ({"raw_scores": {"judge": {("1", "a"): "x"}}}, "is not a finite number"),
        ({"raw_scores": {"judge": {("9", "a"): 0.5}}}, "none of its 4 pairs has one"),
        ({"topics": "301"}, "is one text. Give a list"),
        ({"about": "no.csv"}, "no.csv: cannot be read"),
        ({"seed": -1}, "give a seed of 0 or more"),
        ({"level": 0}, "a level of 1 or more"),
    ],
)
def test_report_names_options_that_it_cannot_use(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(trackside.InputError) as caught:
        trackside.report(RUNS, PEOPLE, JUDGE, measures="RR", **options)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: trackside.write_run(RUNS["one"], folder, tag="one"),
        lambda folder: trackside.write_qrels(PEOPLE, folder / "there" / "people.qrels"),
    ],
)
def test_files_that_cannot_be_written_are_named(write: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(trackside.InputError, match="Name another file"):
        write(tmp_path)
