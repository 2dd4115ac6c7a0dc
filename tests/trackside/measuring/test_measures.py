import math
import re

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.refusals import refused
from tests.trackside.measuring.measured_runs import GRADES, PEER_MEASURES, RUN, falling, value
from trackside.files import Qrels, Rankings
from trackside.measuring import (
    evaluate,
)
from trackside.measuring.lookup import grade_strings
from trackside.statistics.estimate import Reason

docnos = st.sampled_from([f"d{number}" for number in range(14)])
# Few scores, so that ties abound; exact as 32-bit floats, which pytrec_eval compares.
scores = st.sampled_from([0.0, 0.25, 0.5, 1.0, -3.0])
topics = st.sampled_from(["1", "10", "9"])
runs = st.dictionaries(topics, st.dictionaries(docnos, scores, min_size=1), min_size=1)
grades = st.dictionaries(topics, st.dictionaries(docnos, st.integers(-1, 3), min_size=1), min_size=1)


def peer_topics(run: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], level: int) -> list[str]:
    """Topics of both with a relevant document: without one pytrec_eval reads uninitialised memory."""
    return [topic for topic, judged in qrels.items() if topic in run and max(judged.values()) >= level]


@settings(max_examples=150, deadline=None)
@given(runs, grades, st.sampled_from([1, 2]))
def test_values_are_those_of_trec_eval_9_to_the_last_bit(
    run: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], level: int
) -> None:
    shared = peer_topics(run, qrels, level)
    if not shared:
        return
    qrels = {topic: qrels[topic] for topic in shared}
    # pytrec_eval asks for P.1 and answers with P_1.
    names = {re.sub(r"_(?=[0-9.]+$)", ".", name) for name in PEER_MEASURES}
    peer = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
    ours = evaluate(
        [Rankings.from_dict(run, single=True)], Qrels.from_dict(qrels), PEER_MEASURES, level=level
    )
    for topic, peer_values in peer.items():
        place = ours.topics.index(topic)
        for column, name in enumerate(PEER_MEASURES):
            expected = peer_values[name]
            got = ours.values[0, 0, place, column]
            assert got == expected or (math.isnan(expected) and math.isnan(got)), (topic, name)


@settings(max_examples=50, deadline=None)
@given(runs, st.lists(grades, min_size=2, max_size=3))
def test_several_qrels_at_once_give_what_each_gives_alone(
    run: dict[str, dict[str, float]], sets: list[dict[str, dict[str, int]]]
) -> None:
    measures = ("nDCG@3", "AP", "bpref", "Judged@3")
    rankings = Rankings.from_dict(run)
    together = evaluate([rankings], [Qrels.from_dict(each) for each in sets], measures)
    for place, each in enumerate(sets):
        alone = evaluate([rankings], Qrels.from_dict(each), measures)
        mask = together.is_judged[place]
        assert tuple(np.array(together.topics)[mask]) == alone.topics
        np.testing.assert_array_equal(together.values[0, place, mask], alone.values[0, 0])
        np.testing.assert_array_equal(together.means()[0, place], alone.means()[0, 0])
        assert np.isnan(together.values[0, place, ~mask]).all()


def test_equal_hashes_are_distinguished(monkeypatch: pytest.MonkeyPatch) -> None:
    # With one key for all pairs every result looks judged; only the comparison of docnos keeps it right.
    def few(topics: NDArray[np.int64], hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return (hashes % np.uint64(3)) + (topics.astype(np.uint64) << np.uint64(62))

    grades_of = {"t": {"a": 1, "b": 0}}
    run = Rankings.from_dict({"t": falling("cdeabfgh")})
    plain = evaluate([run], Qrels.from_dict(grades_of), ["NumRelRet", "Judged@8", "RR"])
    monkeypatch.setattr("trackside.measuring.lookup._keys", few)
    clashing = evaluate([run], Qrels.from_dict(grades_of), ["NumRelRet", "Judged@8", "RR"])
    np.testing.assert_array_equal(plain.values, clashing.values)
    assert plain.values[0, 0, 0].tolist() == [1.0, 0.25, 0.25]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # 0.2 (1 + 0.5 · 0.8^3 + 0.8^4)
        ("RBP(p=0.8)", 0.2 * (1 + 0.5 * 0.512 + 0.4096)),
        ("RBP(p=0.8,rel=2)", 0.2 * (1 + 0.4096)),
        ("RBP(p=0.8)@4", 0.2 * (1 + 0.5 * 0.512)),
        # 1 - 0.2 (1 + 0.8^2 + 0.8^3 + 0.8^4 + 0.8^6): all ranks that are judged
        ("RBPresidual(p=0.8)", 1 - 0.2 * (1 + 0.64 + 0.512 + 0.4096 + 0.262144)),
        # stops: a 3/4, b 1/4, d 3/4: 3/4 + 1/4 (1/4)/4 + 1/4 · 3/4 (3/4)/5
        ("ERR(max=2)", 0.75 + 0.25 * 0.25 / 4 + 0.25 * 0.75 * 0.75 / 5),
        ("ERR(max=2)@4", 0.75 + 0.25 * 0.25 / 4),
        ("ERR(max=1)@1", 1.0),
        # gdeval's scale has 4 at its top: 3/16
        ("ERR@1", 3 / 16),
        # gains 3 and 1: (3 + 1/log2 5 + 3/log2 6) over ideal 3 3 1 1
        ("nDCG(dcg=exp)", (3 + 1 / math.log2(5) + 3 / math.log2(6))
         / (3 + 3 / math.log2(3) + 1 / 2 + 1 / math.log2(5))),
        # the same at the ranks of a, b and d, and for f at the end; from rank 4 on the ideal is whole
        ("nDCGrel(dcg=exp)", (1 + (3 + 1 / math.log2(5) + 2 * (3 + 1 / math.log2(5) + 3 / math.log2(6)))
         / (3 + 3 / math.log2(3) + 1 / 2 + 1 / math.log2(5))) / 4),
        ("nDCG(1=0,2=1)@5", (1 + 1 / math.log2(6)) / (1 + 1 / math.log2(3))),
        # condensed list a c b d e: (1 + 2/3 + 3/4) / 4
        ("AP(judged_only=yes)", (1 + 2 / 3 + 3 / 4) / 4),
        ("nDCG(judged_only=yes)@5", (2 + 1 / 2 + 2 / math.log2(5))
         / (2 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5))),
        ("Judged@5", 4 / 5),
        ("Judged@10", 5 / 10),
        ("unj@5", 1 / 5),
        ("RR@10", 1.0),
        ("Success@1", 1.0),
        ("AP", (1 + 2 / 4 + 3 / 5) / 4),
        ("AP(rel=2)", (1 + 2 / 5) / 2),
        ("mAP@R", (1 + 2 / 4) / 4),
        ("P@10", 3 / 10),
        ("R@4", 2 / 4),
        ("SetF(x=2)", 3 * (3 / 7) * (3 / 4) / (2 * (3 / 7) + 3 / 4)),
        ("Utility", 3 - 4),
        # a, b and d of four are found among seven, f is missed: 20 + 3 - 7 - 4 are none of these
        ("Utility(a=3,b=-0.5,c=-2,d=0.1,N=20)", 3 * 3 - 0.5 * 4 - 2 * 1 + 0.1 * 12),
        # 4 of 11 points need more than 3 of 4 relevant (0.9 · 4 + 0.5 = 4.1)
        ("AP11", (1 + 1 + 1 + 1 + 3 * 0.6 + 2 * 0.6) / 11),
        # 1 of 4, 2 of 4, 4 of 4: a comes first, the second and third give 3/5, f is not retrieved
        ("11pt_avg..25,.5,1", (1 + 0.6 + 0) / 3),
    ],
)  # fmt: skip
def test_value_is_what_the_formula_gives(measure: str, expected: float) -> None:
    assert value(RUN, GRADES, measure) == pytest.approx(expected, rel=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("measure", ["ERR", "nDCG(dcg=exp)", "nDCG", "RBP", "G", "Rndcg"])
def test_no_grade_is_too_high(measure: str) -> None:
    assert value(falling("ab"), {"a": 2**62, "b": 0}, measure) == pytest.approx(
        {"RBP": 0.1}.get(measure, 1.0)
    )


def test_rank_of_a_relevant_document_that_was_not_retrieved_is_undefined() -> None:
    evaluation = evaluate(
        [Rankings.from_dict({"t": falling("ab")})], Qrels.from_dict({"t": {"c": 1}}), ["meanRbest"]
    )
    assert math.isnan(evaluation.values[0, 0, 0, 0])
    assert evaluation.reason(0, 0, 0, 0) is Reason.NO_RELEVANT_RETRIEVED
    assert evaluation.mean_reason(0, 0, 0) is Reason.NO_TOPICS


def test_topic_that_one_of_the_qrels_does_not_judge_is_undefined_there() -> None:
    run = Rankings.from_dict({"s": falling("a"), "t": falling("a")})
    sets = [Qrels.from_dict({"s": {"a": 1}, "t": {"a": 1}}), Qrels.from_dict({"s": {"a": 1}}, name="few")]
    evaluation = evaluate([run], sets, ["AP"])
    assert evaluation.reason(0, 1, 1, 0) is Reason.TOPIC_NOT_JUDGED
    assert evaluation.reason(0, 1, 0, 0) is None
    assert evaluation.is_judged.tolist() == [[True, True], [True, False]]
    assert evaluation.means()[0, :, 0].tolist() == [1.0, 1.0]


def test_interpolated_precision_of_an_emptied_topic_is_undefined() -> None:
    # The run has only unjudged documents: -J leaves nothing, and trec_eval divides 0 by 0.
    assert math.isnan(value(falling("x"), {"a": 1}, "AP11", is_judged_only=True))


def test_interpolated_precision_of_a_missing_topic_is_zero_until_only_judged_results_count() -> None:
    # trec_eval -c gives a missing topic one result without a grade, which -J drops: 0/1, then 0/0.
    run, qrels = Rankings.from_dict({"s": falling("a")}), Qrels.from_dict({"s": {"a": 1}, "t": {"a": 1}})
    assert evaluate([run], qrels, ["IPrec@0"]).values[0, 0, :, 0].tolist() == [1.0, 0.0]
    condensed = evaluate([run], qrels, ["IPrec@0"], is_judged_only=True)
    assert math.isnan(condensed.values[0, 0, 1, 0])
    assert condensed.reason(0, 0, 1, 0) is Reason.NOTHING_RETRIEVED


def test_unjudged_weight_is_trec_evals_residual() -> None:
    # 0.9^3 is left after three results, 0.1 · 0.9 for the second; nothing when all have a grade.
    assert value(falling("axb"), {"a": 1, "b": 0}, "rbp_resid") == pytest.approx(0.9**3 + 0.1 * 0.9)
    assert value(falling("axb"), {"a": 1, "b": 0}, "rbp_resid.p=0.8") == pytest.approx(0.8**3 + 0.2 * 0.8)
    assert value(falling("ab"), {"a": 1, "b": 0}, "rbp_resid") == 0.0
    assert value(falling("ab"), {"a": 1, "b": 0}, "RBPresidual") == pytest.approx(0.9**2)


def test_missing_topic_counts_as_zero_or_is_an_error() -> None:
    run = Rankings.from_dict({"s": falling("a")}, tag="kestrel")
    qrels = Qrels.from_dict({"s": {"a": 1}, "t": {"a": 1}})
    assert evaluate([run], qrels, ["AP", "NumRet"]).means()[0, 0].tolist() == [0.5, 1.0]
    with refused("topic-missing", match="run kestrel: topic t is judged but has no results"):
        evaluate([run], qrels, ["AP"], is_complete=False)


def test_results_past_the_limit_are_ignored() -> None:
    assert value(falling("xyab"), {"a": 1, "b": 1}, "AP", max_results=3) == (1 / 3) / 2
    assert value(falling("xyab"), {"a": 1, "b": 1}, "NumRet", max_results=3) == 3
    with refused("limit-not-positive"):
        value(RUN, GRADES, "AP", max_results=0)


def test_docno_twice_is_refused_only_within_the_limit() -> None:
    run = Rankings.from_file(b"t Q0 a 1 3 x\nt Q0 b 2 2 x\nt Q0 a 3 1 x\n")
    qrels = Qrels.from_dict({"t": {"a": 1}})
    with refused("duplicate-docno", match="topic t names a twice"):
        evaluate([run], qrels, ["AP"])
    assert evaluate([run], qrels, ["AP"], max_results=2).means()[0, 0, 0] == 1.0


# Two strata; the values are those of NIST's sample_eval.pl for these grades and ranking.
SAMPLED = b"1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 -1\n1 0 d 2 1\n"


def test_sampled_measures_give_what_sample_eval_prints() -> None:
    names = ["xinfAP", "infNDCG", "iP@5", "iP@10", "iNumRelRet", "iNumRel"]
    run = Rankings.from_dict({"1": falling("abcd")})
    evaluation = evaluate([run], Qrels.from_file(SAMPLED, is_sampled=True), names)
    assert [f"{each:.4f}" for each in evaluation.values[0, 0, 0]] == [
        "0.7222", "0.8735", "0.6000", "0.3000", "3.0000", "3.0000"
    ]  # fmt: skip


def test_sampled_measures_need_strata() -> None:
    with refused("strata-needed", match="xinfAP: needs a sampled pool"):
        value(RUN, GRADES, "xinfAP")


def test_grade_strings_show_what_trec_eval_shows() -> None:
    run = Rankings.from_dict({"t": falling("abxcd")})
    qrels = Qrels.from_dict({"t": {"a": 2, "b": 0, "c": 10, "d": -1}, "u": {"a": 1}})
    assert grade_strings(run, qrels) == {"t": "20->.", "u": ""}
    assert grade_strings(run, qrels, length=2, is_judged_only=True)["t"] == "20"
    assert grade_strings(run, qrels, max_results=3)["t"] == "20-"


def test_nothing_to_evaluate_is_refused() -> None:
    qrels = Qrels.from_dict({"t": {"a": 1}})
    with refused("nothing-to-evaluate"):
        evaluate([], qrels, ["AP"])
    with refused("nothing-to-evaluate"):
        evaluate([Rankings.from_dict(READ)], qrels, [])


READ = {"t": {"a": 1.0}}
