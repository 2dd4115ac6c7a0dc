import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from trackside.files import Qrels, Rankings
from trackside.fusion.methods import (
    Tuned,
    comb_mnz,
    comb_sum,
    normalised,
    reciprocal_rank_fusion,
    tune_weights,
    weight_grid,
    weighted_sum,
)
from trackside.measuring import evaluate, parse_measure

ONE = Rankings.from_dict({"1": {"a": 6, "b": 5, "c": 4}, "2": {"u": 3, "v": 1}}, tag="one")
TWO = Rankings.from_dict({"1": {"b": 8, "a": 6, "x": 0}}, tag="two")


def test_reciprocal_rank_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion([ONE, TWO]).to_dict()
    expected = {"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "x": 1 / 63}
    assert fused["1"] == pytest.approx(expected)
    assert fused["2"] == pytest.approx({"u": 1 / 61, "v": 1 / 62})
    assert reciprocal_rank_fusion([ONE, TWO], k=0).to_dict()["2"] == pytest.approx({"u": 1.0, "v": 0.5})


def test_reciprocal_ranks_follow_the_order_of_trec_eval_in_ties() -> None:
    # Tied scores are ordered by docno, descending: b before a.
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


def test_the_grid_has_every_weight_that_sums_to_one() -> None:
    assert weight_grid(2, 0.25) == [(0.0, 1.0), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (1.0, 0.0)]
    assert (len(weight_grid(2)), len(weight_grid(3)), len(weight_grid(4))) == (11, 66, 286)
    assert all(sum(weights) == pytest.approx(1.0) for weights in weight_grid(3))
    # Of ten runs 11^10 combinations of weights would have to be looked through for these 92,378.
    assert len(weight_grid(10)) == math.comb(19, 9)


def test_the_grid_of_too_many_weights_is_refused() -> None:
    for count, step in ((2, 1e-9), (4, 0.001), (30, 0.1)):
        with refused("weights-do-not-fit", match="more than 200,000 combinations"):
            weight_grid(count, step)


def test_scores_beyond_the_largest_number_are_refused() -> None:
    wide = Rankings.from_dict({"1": {"a": 1e308, "b": -1e308}}, tag="wide")
    with refused("score-not-finite", match="the fused score of a in topic 1 is not a finite number"):
        comb_sum([ONE, wide])
    with refused("score-not-finite", match="the fused score of a in topic 1 is not a finite number"):
        comb_mnz([wide, wide], norm="none")


def test_tuning_keeps_the_first_of_the_best_weights() -> None:
    # With w for ONE, c gets 0 and 0 is best for nothing; a has w + 0.75 (1 - w), b 0.5 w + 1 - w: a leads
    # from w = 1/3 on.
    qrels = Qrels.from_dict({"1": {"a": 1}})
    tried = [(0.2, 0.8), (0.4, 0.6), (0.6, 0.4)]
    assert tune_weights([ONE, TWO], qrels, parse_measure("RR"), iter(tried)) == Tuned((0.4, 0.6), 1.0)
    plain = [weighted_sum([ONE, TWO], weights) for weights in tried]
    assert evaluate(plain, qrels, ["RR"]).means()[:, 0, 0].tolist() == [0.5, 1.0, 1.0]


def test_a_docno_twice_in_a_run_counts_twice() -> None:
    twice = Rankings.from_file(b"1 Q0 a 1 4 x\n1 Q0 a 2 3 x\n1 Q0 b 3 0 x\n")
    assert comb_sum([twice, TWO], norm="none").to_dict()["1"] == {"a": 13.0, "b": 8.0, "x": 0.0}


def test_fusion_names_what_it_needs() -> None:
    qrels = Qrels.from_dict({"1": {"none": 1}})
    with refused("too-few-runs", match="at least two runs"):
        comb_sum([ONE])
    with refused("weights-do-not-fit", match="3 weights for 2 runs"):
        weighted_sum([ONE, TWO], (0.2, 0.3, 0.5))
    for step in (0.3, 0.0, -1.0):
        with refused("weights-do-not-fit", match="do not add up to 1"):
            weight_grid(2, step)
    with refused("score-not-finite", match="run inf: a score is not a finite number"):
        comb_sum([ONE, Rankings.from_dict({"1": {"a": math.inf}}, tag="inf")])
    with refused("nothing-to-tune", match="higher is not better"):
        tune_weights([ONE, TWO], qrels, parse_measure("meanRbest"), weight_grid(2))
    with refused("nothing-to-tune", match="has no value on qrels for any option"):
        tune_weights([ONE, TWO], qrels, parse_measure("AP11(judged_only=yes)"), weight_grid(2))


# A parallel loop of numba counts in uint64, lists are indexed by int64: a process that compiles ranx warns.
@pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64")
@pytest.mark.long
@pytest.mark.parametrize("method", ["rrf", "sum", "mnz", "wsum"])
def test_fused_scores_are_those_of_ranx(method: str) -> None:
    # Compiling takes ranx a minute. No score comes twice, so its order of ties does not matter.
    ranx = pytest.importorskip("ranx")
    random = np.random.default_rng(7)
    given = [
        {
            f"t{topic}": {f"d{d}": float(random.random()) for d in random.choice(300, 100, replace=False)}
            for topic in range(5)
        }
        for _ in range(3)
    ]
    weights = (0.5, 0.3, 0.2)
    runs = [Rankings.from_dict(each) for each in given]
    ours = {
        "rrf": lambda: reciprocal_rank_fusion(runs),
        "sum": lambda: comb_sum(runs),
        "mnz": lambda: comb_mnz(runs),
        "wsum": lambda: weighted_sum(runs, weights),
    }[method]()
    params = {"rrf": {"k": 60}, "wsum": {"weights": weights}}.get(method)
    norm = None if method == "rrf" else "min-max"
    theirs = ranx.fuse([ranx.Run(each) for each in given], method=method, norm=norm, params=params)
    assert ours.to_dict() == {topic: dict(scores) for topic, scores in theirs.to_dict().items()}


results = st.dictionaries(
    st.sampled_from(["t1", "t10", "t2"]),
    st.dictionaries(st.text("aé9", min_size=1, max_size=2), st.sampled_from([0.5, 1.0, 2.0]), min_size=1),
    min_size=1,
)


@given(st.lists(results, min_size=2, max_size=4))
def test_reciprocal_rank_fusion_is_that_of_a_plain_loop(runs: list[dict[str, dict[str, float]]]) -> None:
    sums: dict[str, dict[str, float]] = {}
    for run in runs:
        for topic, scores in run.items():
            ranked = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
            for rank, docno in enumerate(ranked, 1):
                of_topic = sums.setdefault(topic, {})
                of_topic[docno] = of_topic.get(docno, 0.0) + 1 / (60 + rank)
    wanted = {
        topic: sorted(scores.items(), key=lambda pair: (pair[1], pair[0].encode()), reverse=True)
        for topic, scores in sums.items()
    }
    fused = reciprocal_rank_fusion([Rankings.from_dict(run) for run in runs])
    assert {topic: list(scores.items()) for topic, scores in fused.to_dict().items()} == wanted
