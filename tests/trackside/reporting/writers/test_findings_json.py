"""``findings.json``: the keys that programs rely on, and a reason for what is undefined."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.trackside.reporting.study import small_study, wide_study
from trackside.findings.use_results import USES, UseCode
from trackside.reporting.build import build_report
from trackside.reporting.study import Study
from trackside.reporting.writers.stored import findings_json

ORDER = [
    "measure",
    "tau",
    "low",
    "high",
    "pairs_told",
    "pairs_kept",
    "pairs_reversed",
    "pairs_missed",
    "pairs_leaning",
    "pairs_added",
    "verdict",
]
GRADES = [
    "kappa", "low", "high", "second_kappa", "difference", "low_difference", "high_difference",
]  # fmt: skip
FAMILY = [
    "family", "measure", "excess", "low", "high", "verdict", "takes", "tipping_point",
    "in_general",
]  # fmt: skip


def content(study: Study) -> dict[str, Any]:
    """The content as a program reads it from the file."""
    text = json.dumps(findings_json(build_report(study, code_version="x")), allow_nan=False)
    read: dict[str, Any] = json.loads(text)
    return read


@pytest.mark.parametrize("make_study", [small_study, wide_study])
def test_a_judge_begins_with_the_promised_keys(make_study: Callable[[], Study]) -> None:
    stored = content(make_study())
    assert [next(iter(stored)), stored["form"]] == ["judges", 3]
    for judge in stored["judges"]:
        assert list(judge)[:4] == ["name", "order", "grades", "families"]
        assert list(judge["order"])[: len(ORDER)] == ORDER
        assert list(judge["grades"])[: len(GRADES)] == GRADES
        assert all(list(family)[: len(FAMILY)] == FAMILY for family in judge["families"])
        assert [order["measure"] for order in judge["orders"]] == stored["facts"]["measures"]
        assert judge["order"] == judge["orders"][0]
        assert list(judge["uses"])[: len(USES)] == list(USES)
        assert all(judge["uses"][name]["code"] in list(UseCode) for name in USES)


def test_numbers_are_those_of_the_findings() -> None:
    study = wide_study()
    (judge,) = build_report(study, code_version="x").judges
    (stored,) = content(study)["judges"]
    order = judge.order("nDCG@10")
    assert (stored["order"]["tau"], stored["order"]["verdict"]) == (order.tau, "as_people_with_differences")
    finding = judge.family("AP", "b")
    assert finding
    (row,) = [row for row in stored["families"] if (row["measure"], row["family"]) == ("AP", "b")]
    assert [row["low"], row["high"]] == [finding.low, finding.high]


def test_what_is_undefined_has_a_reason() -> None:
    """Eight topics: no interval; a second assessor on four: no comparison."""
    stored = content(small_study())
    for judge in [*stored["judges"], *stored["yardsticks"]]:
        for part in (judge["order"], judge["grades"]):
            assert (part["low"], part["reason"]) == (None, "too_few_topics")
    (judge,) = stored["judges"]
    assert judge["grades"]["second_reason"] == "too_few_topics"
    assert {judge["uses"][name]["code"] for name in USES} == {"open"}
    assert {(row["low"], row["reason"]) for row in judge["families"]} == {(None, "too_few_topics")}


def test_margins_are_among_the_facts() -> None:
    assert content(small_study())["facts"]["margins"] == {
        "order": 0.8,
        "kappa": 0.05,
        "tau": 0.1,
        "points": 5.0,
        "best": 0.05,
        "rate": 0.5,
        "second_rate": 0.1,
    }
