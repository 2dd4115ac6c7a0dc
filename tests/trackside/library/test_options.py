"""Options and files that no function of the library can use are named in an InputError."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trackside

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
        ({"resamples": 10.5}, "resamples 10.5: give a whole number"),
        ({"resamples": 9}, "resamples 9: give a number of 10 or more"),
        ({"seed": "1"}, "seed '1': give a whole number"),
        ({"scale": "012"}, "scale '012': give grades from 0 up, such as [0, 1, 2]"),
        ({"scale": [-1, 0, 1, 2]}, "scale [-1, 0, 1, 2]: give grades from 0 up"),
        ({"strata": ["page"]}, "strata ['page']: give a mapping"),
        ({"strata": {"page": ["1"]}}, "strata {'page': ['1']}: give a mapping"),
    ],
)
def test_report_names_options_that_it_cannot_use(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(trackside.InputError) as caught:
        trackside.report(RUNS, PEOPLE, JUDGE, measures="RR", **options)
    assert fault in str(caught.value)


@pytest.mark.parametrize("none", [(), {}, []])
def test_report_takes_no_judges_and_no_second_assessors(none: Any) -> None:
    findings = trackside.report(RUNS, PEOPLE, none, people=none, measures="RR")
    assert (findings.judges, findings.yardsticks) == ((), ())


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


@pytest.mark.parametrize("depth", [1.5, "3", None])
def test_pool_names_a_depth_that_is_no_whole_number(depth: Any) -> None:
    with pytest.raises(trackside.InputError, match="depth of 0 or more"):
        trackside.pool(RUNS, depth)
    with pytest.raises(trackside.InputError, match="depth of 0 or more"):
        trackside.pool(RUNS, 3, depths={"one": depth})


@pytest.mark.parametrize("weights", ["ab", (None, 1), (float("nan"), 1)])
def test_fuse_names_weights_that_are_no_numbers(weights: Any) -> None:
    with pytest.raises(trackside.InputError, match="give finite weights"):
        trackside.fuse(RUNS, "wsum", weights=weights)


def test_fuse_names_a_constant_below_zero() -> None:
    with pytest.raises(trackside.InputError, match="k -1: give a number of 0 or more"):
        trackside.fuse(RUNS, "rrf", k=-1)


def test_check_takes_numbers_as_docnos() -> None:
    run = {"1": {"5": 1.0, "6": 0.5}}
    assert trackside.check(run, topics=[1], docnos=[5, 6]).is_accepted
    assert not trackside.check(run, topics=[1], docnos=[5]).is_accepted


@pytest.mark.parametrize("depth", [0, -1, 1.5])
def test_write_run_names_a_depth_below_one(depth: Any, tmp_path: Path) -> None:
    with pytest.raises(trackside.InputError, match=f"depth {depth}: give a whole number from 1 up"):
        trackside.write_run(RUNS["one"], tmp_path / "one.run", tag="one", depth=depth)


@pytest.mark.parametrize("end", ["gz", "bz2", "zst"])
def test_files_are_not_written_under_the_name_of_a_packed_one(end: str, tmp_path: Path) -> None:
    path = tmp_path / f"one.run.{end}"
    with pytest.raises(trackside.InputError, match=rf"files are written unpacked. Leave out \.{end}"):
        trackside.write_run(RUNS["one"], path, tag="one")
    assert not path.exists()
