"""The best runs under people and a judge, all runs re-ranked by the judge, and the parts of the variance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from evaluation.core.report.build import build_report
from evaluation.core.report.design import Design, ReportRun
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Conclusion, Number
from evaluation.core.report.sections.families.judges_as_runs import re_ranked_runs
from evaluation.core.report.sections.ranking.variance import variance_section
from evaluation.core.report.sections.result_pages.top_group import top_group
from evaluation.core.statistics.estimate import Reason
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.judged_study import judged_study
from tests.evaluation.core.report.study import graded_set

if TYPE_CHECKING:
    from evaluation.core.report.study import Study

TOPICS = [f"T{at:02d}" for at in range(12)]
FILLER = [f"f{at}" for at in range(8)]


def _study() -> Study:
    """People grade r relevant and the judge j: "good" and "twin" have r first, "bad" has j first."""
    last = "T11"
    orders = {
        "good": {topic: ["r", *FILLER, "j"] for topic in TOPICS},
        "twin": {
            topic: ["f0", "r", *FILLER[1:], "j"] if topic == last else ["r", *FILLER, "j"] for topic in TOPICS
        },
        "bad": {topic: ["j", *FILLER, "r"] for topic in TOPICS},
    }
    rankings = [
        Rankings.from_dict(
            {
                topic: {docno: -float(rank) for rank, docno in enumerate(docnos)}
                for topic, docnos in own.items()
            },
            tag=tag,
        )
        for tag, own in orders.items()
    ]
    people = {topic: dict.fromkeys([*FILLER, "j"], 0) | {"r": 1} for topic in TOPICS}
    judge = {topic: dict.fromkeys([*FILLER, "r"], 0) | {"j": 1} for topic in TOPICS}
    sets = [graded_set("people", people, "human"), graded_set("judge", judge)]
    runs = [ReportRun(tag, tag, ()) for tag in orders]
    return study_of(Design((0, 1), 1, ("AP",), replicates=20), runs, rankings, sets)


def test_best_group_of_a_judge_is_compared_with_peoples() -> None:
    people, judge = top_group(_study()).records()
    assert (people["first"], people["best group"], people["not told from"]) == ("good", 2, "twin")
    # The judge's best group is "bad" alone: neither of people's two, and one that people do not have.
    assert (judge["first"], judge["best group"], judge["not told from"]) == ("bad", 1, "")
    assert [judge[name] for name in ("of people's best group", "found", "missed", "wrongly in")] == [
        2,
        0,
        2,
        1,
    ]
    assert judge["people's loss"] == pytest.approx(1 - 1 / 10)  # r is at rank 10 of bad


def test_best_group_of_a_judge_that_agrees_is_peoples() -> None:
    study = _study()
    sets = [study.sets[0], graded_set("same", {topic: dict(own) for topic, own in study.sets[0].qrels})]
    rankings = [
        Rankings.from_dict({topic: {"r": 1.0} if tag != "bad" else {"f0": 1.0} for topic in TOPICS}, tag=tag)
        for tag in ("bad", "good", "twin")
    ]
    _, judge = top_group(study_of(study.design, study.runs, rankings, sets)).records()
    assert [judge[name] for name in ("of people's best group", "found", "missed", "wrongly in")] == [
        2,
        2,
        0,
        0,
    ]
    assert judge["people's loss"] == 0.0


def test_runs_are_re_ranked_by_the_judges_scores_and_tau_is_computed_again() -> None:
    """People grade x and y relevant, the judge only y. Run a has x and z, run b has z before y."""
    raw = {("T1", "y"): 0.9, ("T1", "x"): 0.5, ("T1", "z"): 0.1}
    judge = graded_set("judge", {"T1": {"x": 0, "y": 1, "z": 0}}, raw_scores=raw)
    sets = [graded_set("people", {"T1": {"x": 1, "y": 1, "z": 0}}, "human"), judge]
    rankings = [
        Rankings.from_dict({"T1": {"x": 2, "z": 1}}, tag="a"),
        Rankings.from_dict({"T1": {"z": 2, "y": 1}}, tag="b"),
    ]
    study = study_of(Design((0, 1), 1, ("AP",), replicates=20), None, rankings, sets)
    (row,) = re_ranked_runs(study).records()
    # AP by people: a 1/2; b 1/4, and 1/2 with y first. By the judge: a 0; b 1/2, and 1 with y first.
    assert [row[f"people, {each}"] for each in ("as submitted", "re-ranked")] == [0.375, 0.5]
    assert [row[f"judge, {each}"] for each in ("as submitted", "re-ranked")] == [0.25, 0.5]
    before, after = row["tau as submitted"], row["tau re-ranked"]
    assert isinstance(before, Number)
    assert isinstance(after, Number)
    assert before.value == -1.0
    assert after.reason is Reason.CONSTANT  # both runs have 1/2 by people


def test_variance_of_a_judge_that_differs_in_leniency_alone_lies_in_the_qrels() -> None:
    """Runs and topics are alike to people, who give 1/2 throughout, and to the judge, who gives 1."""
    topics = {f"T{at}": {"x": 1, "y": 0} for at in range(4)}
    kind = {topic: {"x": 1, "y": 1} for topic in topics}
    rankings = [
        Rankings.from_dict({topic: {"y": 2.0, "x": 1.0} for topic in topics}, tag=tag) for tag in "abc"
    ]
    sets = [graded_set("people", topics, "human"), graded_set("kind", kind)]
    study = study_of(Design((0, 1), 1, ("AP",), replicates=20), None, rankings, sets)
    (table,) = variance_section(study).tables
    rows = {str(row["source"]): row for row in table.records()}
    assert len(rows) == 7
    assert rows["qrels"]["share"] == pytest.approx(1.0)
    assert rows["qrels"]["variance"] == pytest.approx(0.125)  # of 1/2 and 1: 2 x 1/4 squared
    assert rows["run × qrels"]["share"] == pytest.approx(0.0)


def _judges(said: str) -> list[str]:
    return re.split(r", | and ", said.partition("”, ")[2].partition(":")[0])


def test_methods_text_lists_each_guardrail_with_its_state() -> None:
    report = build_report(judged_study(), code_version="1")
    table = report.table("guardrails")
    (methods,) = [section for section in report.sections if section.name == "methods"]
    assert table is not None
    assert len(table.rows) > 10
    for record in table.records():
        state = record["state"]
        assert isinstance(state, Conclusion)
        (said,) = [
            each
            for each in methods.says
            if each.startswith(f"Guardrail “{record['guardrail']}”")
            and (record["judge"] == "all" or record["judge"] in _judges(each))
        ]
        assert f": {state.words}; {record['what this report found']}" in said
