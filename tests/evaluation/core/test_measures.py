import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.core.measures import (
    DuplicateDocno,
    LevelGivenTwice,
    LimitNotPositive,
    NothingToEvaluate,
    StrataNeeded,
    TopicMissing,
    UnknownMeasure,
    evaluate,
    parse_measure,
    parse_measures,
)
from evaluation.core.measures.families import ALL_TREC, BY_TREC_NAME, OFFICIAL, SET, TREC_ORDER
from evaluation.core.measures.intervals import intervals_of_means
from evaluation.core.measures.strings import grade_strings
from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.core.trec_files import Qrels, Rankings
from evaluation.core.uncertainty import Ends, mean_intervals

# trec_eval 9's measures that 10 did not change (10 rounds the recall points of iprec and 11pt_avg otherwise).
PEER_MEASURES = (
    "num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "ndcg_rel",
    "Rndcg", "binG", "G", "set_P", "set_recall", "set_F", "set_map", "set_relative_P", "utility",
    "num_nonrel_judged_ret", "P_1", "P_3", "recall_1", "recall_3", "ndcg_cut_1", "ndcg_cut_3", "map_cut_1",
    "map_cut_3", "success_1", "success_3", "relative_P_1", "relative_P_3", "Rprec_mult_0.20",
    "Rprec_mult_1.00", "Rprec_mult_1.40",
)  # fmt: skip


def value(run: dict[str, float], grades: dict[str, int], measure: str, **options: Any) -> float:
    """The value of one topic."""
    qrels = Qrels.from_dict({"t": grades})
    return float(evaluate([Rankings.from_dict({"t": run})], qrels, [measure], **options).values[0, 0, 0, 0])


def falling(docnos: str) -> dict[str, float]:
    """A run that ranks the letters in the order given."""
    return {docno: -float(rank) for rank, docno in enumerate(docnos)}


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
    monkeypatch.setattr("evaluation.core.measures.lookup._keys", few)
    clashing = evaluate([run], Qrels.from_dict(grades_of), ["NumRelRet", "Judged@8", "RR"])
    np.testing.assert_array_equal(plain.values, clashing.values)
    assert plain.values[0, 0, 0].tolist() == [1.0, 0.25, 0.25]


# One topic: a 2, b 1, c 0, d 2, e 0, f 1; the run has a x c b d y e. p = 0.8, highest grade 2.
GRADES = {"a": 2, "b": 1, "c": 0, "d": 2, "e": 0, "f": 1}
RUN = falling("axcbdye")


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
        ("Utility(a=1,b=-2,c=-3)", 3 - 2 * 4 - 3 * 1),
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


def test_ranks_of_relevant_documents_are_summarised_over_topics_and_over_documents() -> None:
    # Ranks 1 2 8 and 3 5: best 1 and 3; all (1 + 2 + 8 + 3 + 5) / 5 and the middle of 1 2 3 5 8.
    run = {topic: falling("abcdefgh") for topic in ("s", "t")}
    qrels = {"s": {"a": 1, "b": 1, "h": 1}, "t": {"c": 1, "e": 1}}
    names = ["meanRbest", "medRbest", "meanRall", "medRall"]
    evaluation = evaluate([Rankings.from_dict(run)], Qrels.from_dict(qrels), names)
    assert evaluation.means()[0, 0].tolist() == [2.0, 2.0, 3.8, 3.0]


def test_rank_of_a_relevant_document_that_was_not_retrieved_is_undefined() -> None:
    evaluation = evaluate(
        [Rankings.from_dict({"t": falling("ab")})], Qrels.from_dict({"t": {"c": 1}}), ["meanRbest"]
    )
    assert math.isnan(evaluation.values[0, 0, 0, 0])
    assert evaluation.reason(0, 0, 0, 0) is Reason.NO_RELEVANT_RETRIEVED
    assert evaluation.mean_reason(0, 0, 0) is Reason.NO_TOPICS


def test_frames_have_a_row_for_each_value_and_for_each_mean() -> None:
    # The first relevant document is at rank 1 in s and at rank 2 in t.
    run = Rankings.from_dict({"s": falling("ab"), "t": falling("ba")})
    evaluation = evaluate([run], Qrels.from_dict({"s": {"a": 1}, "t": {"a": 1}}), ["RR"])
    assert evaluation.topic_frame().select("topic", "value").rows() == [("s", 1.0), ("t", 0.5)]
    assert evaluation.mean_frame().select("measure", "value", "topics").rows() == [("RR", 0.75, 2)]


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
    with pytest.raises(TopicMissing, match="run kestrel: topic t is judged but has no results"):
        evaluate([run], qrels, ["AP"], is_complete=False)


def test_results_past_the_limit_are_ignored() -> None:
    assert value(falling("xyab"), {"a": 1, "b": 1}, "AP", max_results=3) == (1 / 3) / 2
    assert value(falling("xyab"), {"a": 1, "b": 1}, "NumRet", max_results=3) == 3
    with pytest.raises(LimitNotPositive):
        value(RUN, GRADES, "AP", max_results=0)


def test_docno_twice_is_refused_only_within_the_limit() -> None:
    run = Rankings.from_file(b"t Q0 a 1 3 x\nt Q0 b 2 2 x\nt Q0 a 3 1 x\n")
    qrels = Qrels.from_dict({"t": {"a": 1}})
    with pytest.raises(DuplicateDocno, match="topic t names a twice"):
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
    with pytest.raises(StrataNeeded, match="xinfAP: needs a sampled pool"):
        value(RUN, GRADES, "xinfAP")


def test_grade_strings_show_what_trec_eval_shows() -> None:
    run = Rankings.from_dict({"t": falling("abxcd")})
    qrels = Qrels.from_dict({"t": {"a": 2, "b": 0, "c": 10, "d": -1}, "u": {"a": 1}})
    assert grade_strings(run, qrels) == {"t": "20->.", "u": ""}
    assert grade_strings(run, qrels, length=2, is_judged_only=True)["t"] == "20"
    assert grade_strings(run, qrels, max_results=3)["t"] == "20-"


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

    monkeypatch.setattr("evaluation.core.measures.intervals.mean_intervals", record)
    found = intervals_of_means(evaluation)
    assert set(found) == {(run, qrels, at) for run in (0, 1) for qrels in (0, 1) for at in (0, 1, 2)}
    assert bounds == [measure.bounds for measure in evaluation.measures] * 2
    assert bounds[0] == (0.0, 1.0)
    values = evaluation.values[:, 1, :, 0]
    assert found[1, 1, 0] == mean_intervals(values, bounds=(0.0, 1.0)).interval(1)


@pytest.mark.parametrize(
    ("name", "own", "trec"),
    [
        ("nDCG@10", "nDCG@10", "ndcg_cut_10"),
        ("ndcg_cut.10", "nDCG@10", "ndcg_cut_10"),
        ("ndcg_cut_10", "nDCG@10", "ndcg_cut_10"),
        ("map", "AP", "map"),
        ("AP(rel=2)", "AP(rel=2)", "map"),
        ("AP(rel=1)", "AP", "map"),
        ("AP@100", "AP@100", "map_cut_100"),
        ("recip_rank", "RR", "recip_rank"),
        ("RR@10", "RR@10", None),
        ("IPrec@0.1", "IPrec@0.1", "iprec_at_recall_0.10"),
        ("iprec_at_recall_0.10", "IPrec@0.1", "iprec_at_recall_0.10"),
        ("set_F.2.0", "SetF(x=2)", "set_F_2.0"),
        ("utility.2,-1,0,0", "Utility(a=2,b=-1,c=0,d=0)", "utility_2,-1,0,0"),
        ("rbp.p=0.8", "RBP(p=0.8)", "rbp_p=0.8"),
        ("rbp_resid", "RBPunjudged", "rbp_resid"),
        ("11pt_avg..25,.5,.75", "AP11(at=0.25/0.5/0.75)", "11pt_avg_.25,.5,.75"),
        ("bpref", "bpref", "bpref"),
        ("nDCG(dcg='exp-log2')@5", "nDCG(dcg=exp)@5", None),
        ("ndcg.1=3,2=9", "nDCG(1=3,2=9)", "ndcg_1=3,2=9"),
        ("mAP@R", "mAP@R", None),
        ("MAP(rel=2)@100", "AP(rel=2)@100", "map_cut_100"),
        ("MRR@10", "RR@10", None),
        ("Precision@5", "P@5", "P_5"),
        ("Recall@10", "R@10", "recall_10"),
        ("NDCG@5", "nDCG@5", "ndcg_cut_5"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)", "num_rel_ret"),
        ("SetP(relative=True)", "SetRelP", "set_relative_P"),
        ("SetF(beta=0.5)", "SetF(x=0.5)", "set_F"),
    ],
)
def test_measure_names_are_read_in_both_notations(name: str, own: str, trec: str | None) -> None:
    measure = parse_measure(name)
    assert str(measure) == own
    assert measure.trec_name == trec
    assert str(parse_measure(own)) == own


def test_groups_and_lists_of_cutoffs_name_several_measures() -> None:
    assert [str(measure) for measure in parse_measures(["P.10,5", "P@5"])] == ["P@5", "P@10"]
    assert len(parse_measures(["official"])) == 9 + 11 + 9
    with pytest.raises(UnknownMeasure, match="stands for 9 measures"):
        parse_measure("recall")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nDGC@10", "no such measure"),
        ("P", None),
        ("Judged", "needs a cutoff, such as Judged@10"),
        ("IPrec", "such as IPrec@0.5"),
        ("bpref@10", "takes no cutoff"),
        ("P@0", "whole number from 1 up"),
        ("P@1.5", "whole number from 1 up"),
        ("nDCG(rel=2)@10", "does not take 'rel=2'"),
        ("AP(k=2)", "does not take 'k=2'"),
        ("AP(judged_only=perhaps)", "does not take"),
        ("nDCG(dcg=log10)", "does not take"),
        ("RBP(p=x)", "does not take"),
        ("set_F.1,2", "are not parameters of set_F"),
        ("utility.1,2", "are not parameters of utility"),
        ("rbp_resid.x=0.8", "does not take 'x=0.8'"),
        ("P.x", "is not a cutoff"),
        ("iprec_at_recall.nan", "is not a cutoff"),
        ("P@99999999999999999999", "is not a cutoff"),
        ("RBP(p=nan)", "does not take 'p=nan'"),
        ("RBP(p=1.5)", "does not take 'p=1.5'"),
        ("ERR(max=5000)", "does not take 'max=5000'"),
        ("nDCG(1=inf)", "does not take '1=inf'"),
        ("P.5,10,5", "the same cutoff twice"),
        ("11pt_avg.0.2,x", "a recall point is a number from 0 to 1"),
        ("AP11(at)", "a recall point is a number from 0 to 1"),
        ("AP(at=0.5)", "does not take 'at=0.5'"),
        ("", "no such measure"),
    ],
)
def test_unknown_measures_name_what_is_wrong(name: str, says: str | None) -> None:
    if says is None:
        assert len(parse_measures([name])) == 9
    else:
        with pytest.raises(UnknownMeasure, match=says):
            parse_measure(name)


@pytest.mark.parametrize("measure", ["RBP(p=0.8)", "AP", "P@10", "nDCG@5", "RBPresidual(p=0.8)", "bpref"])
def test_explicit_level_1_equals_the_default(measure: str) -> None:
    assert value(RUN, GRADES, measure, level=1) == value(RUN, GRADES, measure)


def test_level_makes_graded_rbp_binary_from_2_on() -> None:
    # Grades 2 at ranks 1 and 5, grade 1 at rank 4, which has half of the highest gain.
    assert value(RUN, GRADES, "RBP(p=0.8)", level=1) == pytest.approx(0.2 * (1 + 0.5 * 0.8**3 + 0.8**4))
    assert value(RUN, GRADES, "RBP(p=0.8)", level=2) == pytest.approx(0.2 * (1 + 0.8**4))


def test_methods_name_the_source_of_rbp() -> None:
    # trec_eval 10's rbp has no expected value: it reads uninitialised memory.
    said = (Path(__file__).parents[3] / "docs" / "methods.md").read_text()
    assert "It is not trec_eval 10's `rbp`" in " ".join(said.split())


def test_level_in_the_name_and_for_all_is_refused() -> None:
    with pytest.raises(LevelGivenTwice):
        value(RUN, GRADES, "AP(rel=2)", level=2)


def test_nothing_to_evaluate_is_refused() -> None:
    qrels = Qrels.from_dict({"t": {"a": 1}})
    with pytest.raises(NothingToEvaluate):
        evaluate([], qrels, ["AP"])
    with pytest.raises(NothingToEvaluate):
        evaluate([Rankings.from_dict(READ)], qrels, [])


READ = {"t": {"a": 1.0}}


def test_utility_weighs_four_counts() -> None:
    # Of four retrieved a and c are relevant; e is missed: 2, 2 and 1 of them, and 20 + 2 - 4 - 3 = 15 others.
    grades = {"a": 1, "b": 0, "c": 2, "e": 1}
    found = value(falling("abcd"), grades, "Utility(a=3,b=-0.5,c=-2,d=0.1,N=20)")
    assert found == 3 * 2 - 0.5 * 2 - 2 + 0.1 * 15
    assert value(falling("abcd"), grades, "Utility") == 2 - 2  # a = 1, b = -1


def test_exponential_gains_hold_for_the_run_and_the_ideal() -> None:
    # Gains 2^g - 1: 3 and 1. The run has grade 1, then 2 at a discount of log2(3).
    found = value(falling("ab"), {"a": 1, "b": 2}, "nDCG(dcg='exp')")
    assert found == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_lists_of_trec_evals_names_hold_existing_measures() -> None:
    assert set(TREC_ORDER) == set(BY_TREC_NAME)
    for names in (OFFICIAL, SET, ALL_TREC):
        assert set(names) <= set(TREC_ORDER)
        assert len(set(names)) == len(names)
    # Those that trec_eval leaves out of -m all_trec, or that need an option there.
    assert set(TREC_ORDER) - set(ALL_TREC) == {"dcg", "ideal_dcg", "yaap"}
