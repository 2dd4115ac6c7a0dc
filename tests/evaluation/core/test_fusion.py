import pytest

from evaluation.core.fusion import (
    TooFewRuns,
    Tuned,
    WeightsDoNotFit,
    comb_mnz,
    comb_sum,
    normalised,
    reciprocal_rank_fusion,
    tune_weights,
    weighted_sum,
)
from evaluation.core.trec_files import Rankings

ONE = Rankings.from_dict({"1": {"a": 6, "b": 5, "c": 4}, "2": {"u": 3, "v": 1}}, tag="one")
TWO = Rankings.from_dict({"1": {"b": 8, "a": 6, "x": 0}}, tag="two")


def test_reciprocal_rank_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion([ONE, TWO]).to_dict()
    expected = {"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "x": 1 / 63}
    assert fused["1"] == pytest.approx(expected)
    assert fused["2"] == pytest.approx({"u": 1 / 61, "v": 1 / 62})
    assert reciprocal_rank_fusion([ONE, TWO], k=0).to_dict()["2"] == pytest.approx({"u": 1.0, "v": 0.5})


def test_reciprocal_ranks_follow_the_order_of_trec_eval_in_ties() -> None:
    # Tied scores stand by docno descending: b before a.
    tied = Rankings.from_dict({"1": {"a": 1.0, "b": 1.0}})
    assert reciprocal_rank_fusion([tied, tied], k=0).to_dict()["1"] == pytest.approx({"b": 2.0, "a": 1.0})


def test_min_max_goes_from_0_to_1_in_each_topic() -> None:
    assert normalised(ONE, "min-max").tolist() == [1.0, 0.5, 0.0, 1.0, 0.0]
    assert normalised(ONE, "none").tolist() == [6, 5, 4, 3, 1]
    assert normalised(Rankings.from_dict({"1": {"a": 2, "b": 2}}), "min-max").tolist() == [0.0, 0.0]
    assert normalised(Rankings.from_dict({}), "min-max").tolist() == []


def test_sums_by_hand() -> None:
    # one gives a 1, b 0.5, c 0; two gives b 1, a 0.75, x 0.
    assert comb_sum([ONE, TWO]).to_dict()["1"] == pytest.approx({"a": 1.75, "b": 1.5, "c": 0.0, "x": 0.0})
    assert comb_mnz([ONE, TWO]).to_dict()["1"] == pytest.approx({"a": 3.5, "b": 3.0, "c": 0.0, "x": 0.0})
    assert comb_sum([ONE, TWO], norm="none").to_dict()["1"]["b"] == pytest.approx(13)
    weighted = weighted_sum([ONE, TWO], (0.2, 0.8)).to_dict()["1"]
    assert weighted == pytest.approx({"b": 0.9, "a": 0.8, "c": 0.0, "x": 0.0})


def test_the_fused_run_is_ranked_and_named() -> None:
    fused = weighted_sum([ONE, TWO], (0.2, 0.8), tag="mine")
    assert fused.tag == "mine"
    assert fused.top(2) == {"1": ["b", "a"], "2": ["u", "v"]}


def test_tuning_tries_every_weight_that_sums_to_one_and_keeps_the_first_best() -> None:
    tried: list[tuple[float, ...]] = []

    def value_of(weights: tuple[float, ...]) -> float:
        tried.append(weights)
        return min(weights[0], 0.5)

    assert tune_weights(2, value_of) == Tuned((0.5, 0.5), 0.5)
    assert len(tried) == 11
    assert all(sum(weights) == pytest.approx(1.0) for weights in tried)
    tried.clear()
    tune_weights(3, value_of)
    assert len(tried) == 66


def test_fusion_says_what_it_needs() -> None:
    with pytest.raises(TooFewRuns, match="at least two runs"):
        comb_sum([ONE])
    with pytest.raises(WeightsDoNotFit, match="3 weights for 2 runs"):
        weighted_sum([ONE, TWO], (0.2, 0.3, 0.5))
    for step in (0.3, 0.0, -1.0):
        with pytest.raises(WeightsDoNotFit, match="do not add up to 1"):
            tune_weights(2, lambda weights: 0.0, step=step)
