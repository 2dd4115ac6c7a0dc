"""tau within topics against scipy, topic by topic."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.design import Design, ReportRun
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Number
from evaluation.core.report.sections.ranking.topic_orders import topic_orders_section
from evaluation.core.statistics.estimate import Reason
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.judged_study import judged_study
from tests.evaluation.core.report.study import graded_set
from tests.evaluation.core.report.two_runs import table_of


def _value(cell: object) -> float | None:
    return cell.value if isinstance(cell, Number) else None


def test_tau_of_each_topic_is_scipys() -> None:
    study = judged_study()
    section = topic_orders_section(study)
    each = table_of(section, "tau-on-each-topic")
    for at, measure in enumerate(study.measures):
        for place, topic in enumerate(study.topics):
            record = each.record(measure=measure, topic=topic)
            assert record is not None
            people, own = study.values[0, at, :, place], study.values[1, at, :, place]
            expected = stats.kendalltau(np.round(people, 9), np.round(own, 9)).statistic
            assert _value(record["llava"]) == pytest.approx(expected, nan_ok=True) or np.isnan(expected)


def test_distribution_is_that_of_the_topics() -> None:
    section = topic_orders_section(judged_study())
    each, spread = table_of(section, "tau-on-each-topic"), table_of(section, "tau-by-topic")
    taus = [_value(record["clip"]) for record in each.where(measure="AP").records()]
    known = np.array([tau for tau in taus if tau is not None])
    record = spread.record(measure="AP", judge="clip")
    assert record is not None
    assert record["with tau"] == known.size
    assert _value(record["mean"]) == pytest.approx(known.mean())
    assert record["below 0"] == pytest.approx((known < 0).mean())
    found = [record[name] for name in ("least", "first quartile", "median", "third quartile", "most")]
    assert found == pytest.approx(np.percentile(known, [0, 25, 50, 75, 100]).tolist())
    mean = record["mean"]
    assert isinstance(mean, Number)
    assert mean.low is not None
    assert mean.high is not None
    assert mean.low < known.mean() < mean.high


def test_a_topic_with_equal_values_has_no_tau_but_a_reason() -> None:
    # On T1 both runs rank the one relevant document first. On T2 run a does and run b does not, and the
    # judge finds nothing relevant, so that all its values are 0.
    people = {"T1": {"x": 1, "y": 0}, "T2": {"x": 1, "y": 0}}
    judge = {"T1": {"x": 1, "y": 0}, "T2": {"x": 0, "y": 0}}
    rankings = [
        Rankings.from_dict({"T1": {"x": 2, "y": 1}, "T2": {"x": 2, "y": 1}}, tag="a"),
        Rankings.from_dict({"T1": {"x": 2, "y": 1}, "T2": {"x": 1, "y": 2}}, tag="b"),
    ]
    runs = [ReportRun("a", "", ()), ReportRun("b", "", ())]
    sets = [graded_set("people", people, "human"), graded_set("judge", judge)]
    section = topic_orders_section(study_of(Design((0, 1), 1, ("AP",), replicates=20), runs, rankings, sets))
    record = table_of(section, "tau-by-topic").record(judge="judge")
    assert record is not None
    assert record["with tau"] == 0
    assert record["mean"] == Number(None, Reason.CONSTANT)
    assert section.figures == ()


def test_figure_has_one_row_a_judge() -> None:
    figure = topic_orders_section(judged_study()).figures[0]
    for name in ("llava", "llava again", "clip"):
        assert f">{name}</text>" in figure.svg
    assert figure.measure == "nDCG@5"
