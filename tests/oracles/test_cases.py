import json
import os
from pathlib import Path

import pytest

from tests.oracles.cases import Case, compare, load, main, summary, table

SHARED = os.environ.get("TRACKSIDE_CASES")


@pytest.mark.skipif(SHARED is None, reason="TRACKSIDE_CASES names no folder of cases")
def test_every_shared_statistic_equals_its_oracle() -> None:
    cases = load(Path(str(SHARED)) / "cases" / "statistics")
    rows = [row for case in cases for row in compare(case)]
    assert len(cases) >= 87
    assert all(row.is_equal for row in rows), summary(cases, rows)


def case(statistic: str, expected: dict[str, object], **given: object) -> Case:
    return Case(statistic, "one", given, expected, 1e-9)


def test_compare_accepts_a_value_within_the_tolerance_and_refuses_one_outside() -> None:
    near, far = (
        case("harmonic_mean", {"hm": 0.4}, values=[0.6, 0.3]),
        case("harmonic_mean", {"hm": 0.41}, values=[0.6, 0.3]),
    )
    assert [row.is_equal for row in compare(near)] == [True]
    assert [row.is_equal for row in compare(far)] == [False]


def test_compare_matches_null_with_an_undefined_value_only() -> None:
    undefined = case("harmonic_mean", {"hm": None}, values=[0.6, None])
    defined = case("harmonic_mean", {"hm": None}, values=[0.6, 0.3])
    (row,) = compare(undefined)
    assert row.is_equal
    assert row.ours == "undefined (a stratum has no topic)"
    assert not next(compare(defined)).is_equal


def test_compare_counts_a_statistic_or_a_key_that_is_not_built_as_a_failure() -> None:
    (unknown,) = compare(case("entropy_of_tea", {"cups": 1.0}))
    (other_key,) = compare(case("harmonic_mean", {"gm": 0.4}, values=[0.6, 0.3]))
    assert (unknown.ours, unknown.is_equal) == ("not built", False)
    assert (other_key.ours, other_key.is_equal) == ("not built", False)


def test_compare_turns_our_exception_into_a_failed_row() -> None:
    (row,) = compare(case("kendall_tau", {"tau_b": 1.0}, x=[1, 2], y=[1, 2, 3]))
    assert not row.is_equal
    assert row.ours.startswith("ValueError")


def test_compare_finds_extra_keys_in_a_nested_answer() -> None:
    pool = case(
        "pooling", {"size": {"1": 1}}, runs={"a": {"1": ["x"], "2": ["y"]}}, groups={"a": "A"}, depth={"a": 1}
    )
    assert [(row.key, row.is_equal) for row in compare(pool)] == [("size.1", True), ("size.2", False)]


def test_main_prints_each_value_and_fails_when_one_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [
        {"id": "right", "input": {"values": [0.6, 0.3]}, "expected": {"hm": 0.4}},
        {"id": "wrong", "input": {"values": [0.6, 0.3]}, "expected": {"hm": 0.5}},
    ]
    (tmp_path / "harmonic_mean.json").write_text(json.dumps({"statistic": "harmonic_mean", "cases": cases}))
    assert main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "harmonic_mean / wrong / hm: expected 0.5, ours 0.4" in printed
    assert "1 equal, 1 differ or are missing" in printed
    (tmp_path / "harmonic_mean.json").write_text(
        json.dumps({"statistic": "harmonic_mean", "cases": cases[:1]})
    )
    assert main([str(tmp_path)]) == 0


def test_main_refuses_a_folder_without_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no case in it" in capsys.readouterr().err


def test_table_aligns_its_columns() -> None:
    rows = list(compare(case("harmonic_mean", {"hm": 0.4}, values=[0.6, 0.3])))
    head, line = table(rows).splitlines()
    assert head.index("expected") == line.index("0.4")
