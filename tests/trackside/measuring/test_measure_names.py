"""Names of measures: their notations, levels, lists, and what is wrong with one."""

import pytest

from tests.refusals import refused
from tests.trackside.measuring.measured_runs import GRADES, RUN, value
from trackside.measuring import UnknownMeasure, parse_measure, parse_measures
from trackside.measuring.families import ALL_TREC, BY_TREC_NAME, OFFICIAL, SET, TREC_ORDER


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


def test_multiples_of_r_are_those_of_trec_eval() -> None:
    """Source: the default parameters in m_Rprec_mult.c."""
    multiples = ["0.20", "0.40", "0.60", "0.80", "1.00", "1.20", "1.40", "1.60", "1.80", "2.00"]
    found = [measure.trec_name for measure in parse_measures(["Rprec_mult"])]
    assert found == [f"Rprec_mult_{multiple}" for multiple in multiples]


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


def test_level_in_the_name_and_for_all_is_refused() -> None:
    with refused("level-given-twice"):
        value(RUN, GRADES, "AP(rel=2)", level=2)


def test_lists_of_trec_evals_names_hold_existing_measures() -> None:
    assert set(TREC_ORDER) == set(BY_TREC_NAME)
    for names in (OFFICIAL, SET, ALL_TREC):
        assert set(names) <= set(TREC_ORDER)
        assert len(set(names)) == len(names)
    # Those that trec_eval leaves out of -m all_trec, or that need an option there.
    assert set(TREC_ORDER) - set(ALL_TREC) == {"dcg", "ideal_dcg", "yaap"}
