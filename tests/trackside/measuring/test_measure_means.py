"""Means of measures over topics, and their intervals."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.trackside.measuring.measured_runs import falling
from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate
from trackside.measuring.evaluation import harmonic_mean, intervals_of_means
from trackside.statistics.estimate import Estimate, Reason
from trackside.uncertainty.intervals import Ends
from trackside.uncertainty.means import mean_intervals


def test_ranks_of_relevant_documents_are_summarised_over_topics_and_over_documents() -> None:
    # Ranks 1 2 8 and 3 5: best 1 and 3; all (1 + 2 + 8 + 3 + 5) / 5 and the middle of 1 2 3 5 8.
    run = {topic: falling("abcdefgh") for topic in ("s", "t")}
    qrels = {"s": {"a": 1, "b": 1, "h": 1}, "t": {"c": 1, "e": 1}}
    names = ["meanRbest", "medRbest", "meanRall", "medRall"]
    evaluation = evaluate([Rankings.from_dict(run)], Qrels.from_dict(qrels), names)
    assert evaluation.means()[0, 0].tolist() == [2.0, 2.0, 3.8, 3.0]


def test_frames_have_a_row_for_each_value_and_for_each_mean() -> None:
    # The first relevant document is at rank 1 in s and at rank 2 in t.
    run = Rankings.from_dict({"s": falling("ab"), "t": falling("ba")})
    evaluation = evaluate([run], Qrels.from_dict({"s": {"a": 1}, "t": {"a": 1}}), ["RR"])
    assert evaluation.topic_frame().select("topic", "value").rows() == [("s", 1.0), ("t", 0.5)]
    assert evaluation.mean_frame().select("measure", "value", "topics").rows() == [("RR", 0.75, 2)]


def test_harmonic_mean_over_strata_uses_the_mean_within_each() -> None:
    run = Rankings.from_dict({"s": falling("a"), "t": falling("xa"), "u": falling("xa")})
    evaluation = evaluate([run], Qrels.from_dict({topic: {"a": 1} for topic in "stu"}), ["RR", "meanRbest"])
    # means 1 and 1/2: 2 / (1 + 2) = 2/3
    strata = {"s": "entity", "t": "query", "u": "query", "other": "query"}
    assert evaluation.harmonic_mean(0, 0, 0, strata).value == pytest.approx(2 / 3)
    rare = strata | {"other": "rare"}
    assert evaluation.harmonic_mean(0, 0, 0, rare) == Estimate.undefined(Reason.EMPTY_STRATUM)


def test_means_over_few_topics_have_no_interval_and_sums_no_entry() -> None:
    run = Rankings.from_dict({topic: falling("xa") for topic in "stu"})
    evaluation = evaluate([run], Qrels.from_dict({topic: {"a": 1} for topic in "stu"}), ["RR", "NumRel"])
    found = intervals_of_means(evaluation)
    assert {place: each.reason for place, each in found.items()} == {(0, 0, 0): Reason.TOO_FEW_TOPICS}


def test_interval_holds_the_mean_within_the_bounds_of_the_measure() -> None:
    run = Rankings.from_dict({f"t{place}": falling("xyzab"[place % 5 :]) for place in range(20)})
    evaluation = evaluate([run], Qrels.from_dict({f"t{place}": {"a": 1} for place in range(20)}), ["RR"])
    interval = intervals_of_means(evaluation)[0, 0, 0]
    assert interval.low is not None
    assert interval.high is not None
    assert 0 < interval.low < evaluation.means()[0, 0, 0] < interval.high < 1


def test_intervals_of_several_runs_qrels_and_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    topics = [f"t{place}" for place in range(10)]
    runs = [
        Rankings.from_dict({t: falling("ax" if place < hits else "xa") for place, t in enumerate(topics)})
        for hits in (7, 3)
    ]
    sets = [Qrels.from_dict({t: {docno: 1} for t in topics}) for docno in "ax"]
    evaluation = evaluate(runs, sets, ["P@1", "Bpref", "DCG@2"])
    bounds = []

    def record(values: NDArray[np.float64], **options: Any) -> Ends:
        bounds.append(options["bounds"])
        return mean_intervals(values, **options)

    monkeypatch.setattr("trackside.measuring.evaluation.mean_intervals", record)
    found = intervals_of_means(evaluation)
    assert set(found) == {(run, qrels, at) for run in (0, 1) for qrels in (0, 1) for at in (0, 1, 2)}
    assert bounds == [measure.bounds for measure in evaluation.measures] * 2
    assert bounds[0] == (0.0, 1.0)
    values = evaluation.values[:, 1, :, 0]
    assert found[1, 1, 0] == mean_intervals(values, bounds=(0.0, 1.0)).interval(1)


def test_harmonic_mean_by_hand() -> None:
    assert harmonic_mean([0.6, 0.3]).value == pytest.approx(2 / (1 / 0.6 + 1 / 0.3))
    assert harmonic_mean([0.6, 0.3]).value == pytest.approx(0.4)
    assert harmonic_mean([0.5, 0.0]).value == 0.0


def test_harmonic_mean_needs_every_stratum() -> None:
    assert harmonic_mean([0.6, None]).reason is Reason.EMPTY_STRATUM
    assert harmonic_mean([]).reason is Reason.EMPTY
