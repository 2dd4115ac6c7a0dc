"""The report's content, against numbers worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from evaluation.core.agreement import GradeOffScale
from evaluation.core.report import ComparedMeans, JudgedSet, ReportFrame, ReportRun, report_content

RUNS = [
    ReportRun("a", "Kestrel", ("CLIP-based",)),
    ReportRun("b", "Kestrel", ("CLIP-based", "dense")),
    ReportRun("c", "Nordlys", ("lexical",)),
    ReportRun("d", "Nordlys", ()),
]
FRAME = ReportFrame(scale=(0, 1, 2), level=1, runs=RUNS, measures=("AP",))
GRADES = {("T1", "x"): 0, ("T1", "y"): 2, ("T2", "x"): 1, ("T2", "y"): 0}


def _set(values: dict[str, list[float | None]], **fields: Any) -> JudgedSet:
    facts = {"name": "people", "version": 1, "kind": "human", "sha256": "0", "provenance": {}}
    given = {"topics": ("T1", "T2"), "grades": GRADES} | fields
    counts = {"pair_count": 5, "graded_count": len(given["grades"])}
    return JudgedSet(
        facts=facts | counts | fields.pop("facts", {}),
        values={"AP": values},
        **{name: given[name] for name in ("topics", "grades")},
    )


PEOPLE = _set({"a": [0.2, 0.4], "b": [0.1, 0.3], "c": [0.5, 0.7], "d": [0.4, 0.4]})
# Means of people: a 0.3, b 0.2, c 0.6, d 0.4.


def _means(other: JudgedSet, reference: JudgedSet) -> ComparedMeans:
    """Means over the topics of both."""
    topics = sorted(set(reference.topics) & set(other.topics))
    own, peoples = (
        replace(
            each,
            topics=topics,
            values={
                "AP": {
                    tag: [value for topic, value in zip(each.topics, values, strict=True) if topic in topics]
                    for tag, values in each.values["AP"].items()
                }
            },
        ).means("AP")
        for each in (other, reference)
    )
    return ComparedMeans(len(topics), {"AP": own}, {"AP": peoples})


def _compare(other: JudgedSet, reference: JudgedSet = PEOPLE, frame: ReportFrame = FRAME) -> dict[str, Any]:
    content = report_content(frame, reference, [other], [_means(other, reference)], code_version="1")
    (judge,) = content["others"]
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    return dict(judge)


def test_report_correlates_means_over_the_shared_topics() -> None:
    # On T2 alone: people a .4 b .3 c .7 d .4, judge a .8 b .9 c .7 d .1. Pairs: ab discordant, ac discordant,
    # ad tied for people, bc discordant, bd discordant, cd concordant. tau-b = (1 - 4) / sqrt(5 x 6).
    other = _set({"a": [0.8], "b": [0.9], "c": [0.7], "d": [0.1]}, topics=("T2",))
    judge = _compare(other)
    assert judge["shared_topic_count"] == 1
    assert judge["reference_means"]["AP"] == {"a": 0.4, "b": 0.3, "c": 0.7, "d": 0.4}
    assert judge["correlation"]["AP"]["kendall"]["value"] == pytest.approx(-3 / 30**0.5)


def test_report_names_why_a_correlation_is_undefined() -> None:
    judge = _compare(_set({tag: [0.5, 0.5] for tag in "abcd"}))
    assert judge["correlation"]["AP"] == {
        name: {"value": None, "reason": "constant"} for name in ("kendall", "spearman", "pearson")
    }


def test_report_bias_is_the_judge_s_delta_less_people_s() -> None:
    # CLIP-based a b against c d. People: 0.25 against 0.5, Delta = 2 (-0.25) / 0.75 = -66.67 %.
    # Judge: 0.5 against 0.3, Delta = 2 (0.2) / 0.8 = 50 %. C(4, 2) = 6 ways to name two of four runs; the one
    # at hand and its opposite are the most extreme, so p = 2 / 6.
    judge = _compare(_set({"a": [0.5, 0.5], "b": [0.5, 0.5], "c": [0.3, 0.3], "d": [0.3, 0.3]}))
    bias = judge["bias"]["AP"]["CLIP-based"]
    assert bias["reference_delta"]["value"] == pytest.approx(-200 / 3)
    assert bias["delta"]["value"] == pytest.approx(50)
    assert bias["bias"]["value"] == pytest.approx(50 + 200 / 3)
    assert (bias["arrangements"], bias["is_exact"]) == (6, True)
    assert bias["p"]["value"] == pytest.approx(2 / 6)
    # "dense" and "lexical" are one run of four each, so their p is 1/4 at least, and three families are
    # looked at: Holm takes the smallest three times, 3 x 1/4 or more.
    assert bias["p_holm"]["value"] >= 3 / 4


def test_report_compares_families_that_some_but_not_all_runs_have() -> None:
    assert FRAME.families == ["CLIP-based", "dense", "lexical"]
    assert ReportFrame((0, 1), 1, RUNS[:2], ("AP",)).families == ["dense"]


def test_report_agrees_on_shared_pairs_only() -> None:
    # Shared: (T1, x) 0-1, (T1, y) 2-2, (T2, x) 1-1. Observed 2/3; expected (0 x 0 + 1 x 2 + 1 x 1) / 9 = 1/3;
    # kappa = (2/3 - 1/3) / (1 - 1/3) = 1/2.
    grades = {("T1", "x"): 1, ("T1", "y"): 2, ("T2", "x"): 1, ("T3", "z"): 0}
    judge = _compare(_set({tag: [0.1, 0.2] for tag in "abcd"}, grades=grades))
    assert judge["shared_pair_count"] == 3
    assert judge["kappa"]["value"] == pytest.approx(0.5)


def test_report_keeps_gaps_out_and_counts_them() -> None:
    judge = _compare(_set({tag: [0.1, 0.2] for tag in "abcd"}, grades={("T1", "x"): 0}))
    assert (judge["pair_count"], judge["graded_count"], judge["gap_count"]) == (5, 1, 4)
    assert judge["kappa"] == {"value": None, "reason": "one_grade"}


def test_report_leaves_out_a_run_without_a_mean() -> None:
    judge = _compare(_set({"a": [0.1, None], "b": [0.1, 0.3], "c": [0.5, 0.7], "d": [0.4, 0.4]}))
    assert judge["means"]["AP"]["a"] is None
    assert judge["correlation"]["AP"]["kendall"]["value"] == pytest.approx(1)


def test_report_without_shared_topics_or_pairs_is_undefined_throughout() -> None:
    judge = _compare(_set({tag: [0.1] for tag in "abcd"}, topics=("T9",), grades={("T9", "x"): 1}))
    assert (judge["shared_topic_count"], judge["shared_pair_count"]) == (0, 0)
    assert judge["kappa"] == {"value": None, "reason": "empty"}
    assert judge["correlation"]["AP"]["kendall"]["value"] is None
    assert judge["bias"]["AP"]["CLIP-based"]["bias"]["value"] is None


def test_report_of_one_run_is_undefined() -> None:
    frame = ReportFrame((0, 1, 2), 1, RUNS[:1], ("AP",))
    people, judge = _set({"a": [0.1, 0.2]}), _set({"a": [0.3, 0.2]})
    assert _compare(judge, people, frame)["correlation"]["AP"]["kendall"]["value"] is None


def test_report_refuses_a_grade_off_the_scale() -> None:
    with pytest.raises(GradeOffScale):
        _compare(_set({tag: [0.1, 0.2] for tag in "abcd"}, grades={("T1", "x"): 7}))


def test_report_names_the_seed_where_every_test_is_exact_too() -> None:
    """Its intervals rest on resamples."""
    judge = _set({tag: [0.1, 0.2] for tag in "abcd"})
    content = report_content(FRAME, PEOPLE, [judge], [_means(judge, PEOPLE)], code_version="1")
    assert content["seed"] == 20240728
