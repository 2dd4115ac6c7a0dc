"""The one list of built-in measures, and trec_eval's orders and groups of them.

A new one is a function that returns a value per topic, and a row here. Help texts and docs/measures.md come
from the rows; ``tools/measures.py`` writes the page. Other packages add theirs by entry points, see
``names``.
"""

from typing import Any

from trackside.measuring import counts, gains, precision, sampled
from trackside.measuring.family import Cut, MeasureFamily, Summary, Values
from trackside.statistics.estimate import Reason

JARVELIN = "Järvelin and Kekäläinen, TOIS 2002"
SAMPLED = "Yilmaz, Kanoulas and Aslam, SIGIR 2008"
RBP = "Moffat and Zobel, TOIS 2008"
BPREF = "Buckley and Voorhees, SIGIR 2004"
HAND, SAMPLE_EVAL = "worked out by hand", "sample_eval.pl of NIST"
_RECALL_POINTS = tuple(f"{point / 10:.1f}" for point in range(11))
_R_MULTIPLES = tuple(f"{point / 5:.1f}" for point in range(1, 11))


def _count(name: str, values: Values, trec_name: str, **more: Any) -> MeasureFamily:
    fields = {"summary": Summary.SUM, "is_unbounded": True, "is_higher_better": False, **more}
    return MeasureFamily(name, values, trec_name=trec_name, is_whole_number=True, **fields)


def _graded(name: str, values: Values, **more: Any) -> MeasureFamily:
    return MeasureFamily(name, values, **{"has_gains": True, "has_level": False, **more})


def _rank(name: str, values: Values, summary: Summary) -> MeasureFamily:
    undefined = Reason.NO_RELEVANT_RETRIEVED
    fields: dict[str, Any] = {"is_higher_better": False, "is_unbounded": True, "undefined": undefined}
    return MeasureFamily(name, values, summary=summary, oracle=HAND, **fields)


def _sampled(name: str, values: Values, **more: Any) -> MeasureFamily:
    return MeasureFamily(name, values, is_sampled=True, citation=SAMPLED, oracle=SAMPLE_EVAL, **more)


def _persistent(name: str, values: Values, **more: Any) -> MeasureFamily:
    return MeasureFamily(name, values, defaults={"p": 0.9}, citation=RBP, **more)


FAMILIES = (
    _count("NumQ", counts.topics, "num_q", has_level=False, is_summary_only=True),
    _count("NumRet", counts.retrieved, "num_ret", has_level=False),
    _count("NumRel", counts.relevant, "num_rel", summary=Summary.SUM_FROM_ONE),
    _count("NumRelRet", counts.relevant_retrieved, "num_rel_ret", is_higher_better=True),
    MeasureFamily(
        "AP", precision.average_precision, cut=Cut.OPTIONAL, trec_name="map", trec_cut_name="map_cut"
    ),
    MeasureFamily(
        "GMAP",
        precision.geometric_average_precision,
        trec_name="gm_map",
        summary=Summary.GEOMETRIC_MEAN,
        is_summary_only=True,
        citation="Robertson, CIKM 2006",
    ),
    MeasureFamily("Rprec", counts.r_precision, trec_name="Rprec"),
    MeasureFamily("bpref", precision.binary_preference, trec_name="bpref", citation=BPREF),
    MeasureFamily(
        "RR",
        precision.reciprocal_rank,
        cut=Cut.OPTIONAL,
        trec_name="recip_rank",
        citation="Voorhees, TREC-8 1999",
    ),
    MeasureFamily(
        "IPrec",
        precision.interpolated_precision,
        cut=Cut.FRACTION,
        trec_cut_name="iprec_at_recall",
        default_cutoffs=_RECALL_POINTS,
    ),
    MeasureFamily("P", counts.precision, cut=Cut.REQUIRED, trec_cut_name="P"),
    MeasureFamily("R", counts.recall, cut=Cut.REQUIRED, trec_cut_name="recall"),
    MeasureFamily(
        "infAP",
        precision.inferred_average_precision,
        trec_name="infAP",
        citation="Yilmaz and Aslam, CIKM 2006",
    ),
    MeasureFamily(
        "GMbpref",
        precision.geometric_binary_preference,
        trec_name="gm_bpref",
        summary=Summary.GEOMETRIC_MEAN,
        is_summary_only=True,
        citation=BPREF,
    ),
    MeasureFamily(
        "RprecMult",
        counts.r_precision_multiple,
        cut=Cut.FRACTION,
        trec_cut_name="Rprec_mult",
        default_cutoffs=_R_MULTIPLES,
    ),
    MeasureFamily(
        "Utility",
        counts.utility,
        trec_name="utility",
        can_be_negative=True,
        is_unbounded=True,
        defaults={"a": 1.0, "b": -1.0, "c": 0.0, "d": 0.0, "N": 0.0},
    ),
    MeasureFamily("AP11", precision.eleven_points, trec_name="11pt_avg", has_points=True),
    MeasureFamily("binG", precision.binary_gain, trec_name="binG"),
    _graded("G", gains.normalised_gain, trec_name="G"),
    _graded("DCG", gains.dcg, cut=Cut.OPTIONAL, trec_name="dcg", is_unbounded=True, citation=JARVELIN),
    _graded(
        "iDCG",
        gains.ideal_dcg,
        cut=Cut.OPTIONAL,
        trec_name="ideal_dcg",
        is_unbounded=True,
        is_higher_better=False,
        citation=JARVELIN,
    ),
    _graded(
        "nDCG", gains.ndcg, cut=Cut.OPTIONAL, trec_name="ndcg", trec_cut_name="ndcg_cut", citation=JARVELIN
    ),
    _graded("nDCGrel", gains.ndcg_at_relevant, trec_name="ndcg_rel"),
    _graded("Rndcg", gains.ndcg_at_grades, trec_name="Rndcg", has_level=True, undefined=Reason.NO_GAIN),
    MeasureFamily("relP", counts.relative_precision, cut=Cut.REQUIRED, trec_cut_name="relative_P"),
    MeasureFamily(
        "Success", counts.success, cut=Cut.REQUIRED, trec_cut_name="success", default_cutoffs=("1", "5", "10")
    ),
    MeasureFamily("SetP", counts.set_precision, trec_name="set_P"),
    MeasureFamily("SetRelP", counts.set_relative_precision, trec_name="set_relative_P"),
    MeasureFamily("SetR", counts.set_recall, trec_name="set_recall"),
    MeasureFamily("SetAP", counts.set_average_precision, trec_name="set_map"),
    MeasureFamily("SetF", counts.set_f, trec_name="set_F", defaults={"x": 1.0}),
    _count("NumNonrelJudgedRet", counts.nonrelevant_judged_retrieved, "num_nonrel_judged_ret"),
    MeasureFamily(
        "YAAP",
        precision.smoothed_average_precision,
        trec_name="yaap",
        can_be_negative=True,
        citation="Robertson, ECIR 2012",
    ),
    _persistent(
        "RBP",
        gains.rank_biased_precision,
        cut=Cut.OPTIONAL,
        trec_name="rbp",
        has_gains=True,
        is_graded=True,
        oracle=HAND,
    ),
    _persistent(
        "RBPresidual", gains.rank_biased_residual, has_level=False, is_higher_better=False, oracle=HAND
    ),
    _persistent(
        "RBPunjudged",
        gains.rank_biased_unjudged,
        trec_name="rbp_resid",
        has_level=False,
        is_higher_better=False,
    ),
    MeasureFamily(
        "unj",
        counts.unjudged,
        cut=Cut.REQUIRED,
        trec_cut_name="unj",
        default_cutoffs=("5", "10", "20"),
        has_level=False,
        is_higher_better=False,
    ),
    MeasureFamily(
        "Judged", counts.judged_share, cut=Cut.REQUIRED, has_level=False, is_higher_better=False, oracle=HAND
    ),
    MeasureFamily(
        "ERR",
        gains.expected_reciprocal_rank,
        cut=Cut.OPTIONAL,
        has_level=False,
        defaults={"max": 4.0},
        citation="Chapelle et al., CIKM 2009",
        oracle=HAND,
    ),
    MeasureFamily(
        "mAP@R", precision.average_precision_at_r, citation="Musgrave et al., ECCV 2020", oracle=HAND
    ),
    _rank("meanRbest", precision.best_rank, Summary.MEAN),
    _rank("medRbest", precision.best_rank, Summary.MEDIAN),
    _rank("meanRall", precision.mean_rank, Summary.POOLED_MEAN),
    _rank("medRall", precision.median_rank, Summary.POOLED_MEDIAN),
    _sampled("xinfAP", sampled.inferred_average_precision),
    _sampled("infNDCG", sampled.inferred_ndcg, has_level=False),
    _sampled("iP", sampled.estimated_precision, cut=Cut.REQUIRED),
    _sampled("iNumRelRet", sampled.estimated_relevant_retrieved, summary=Summary.SUM, is_unbounded=True),
    _sampled("iNumRel", sampled.estimated_relevant, summary=Summary.SUM, is_higher_better=False),
)

BY_NAME = {family.name.lower(): family for family in FAMILIES}
# Other names that ir_measures has for some.
ALIASES = {"map": "ap", "mrr": "rr", "precision": "p", "recall": "r"}
BY_TREC_NAME = {
    name: family
    for family in FAMILIES
    for name in (family.trec_name, family.trec_cut_name)
    if name is not None
}


# trec_eval prints its measures in this order, regardless of the order of the arguments.
TREC_ORDER = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G",
    "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P",
    "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret", "yaap", "rbp", "rbp_resid",
    "unj",
)  # fmt: skip
OFFICIAL = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P",
)  # fmt: skip
SET = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P",
    "set_map", "set_F",
)  # fmt: skip
ALL_TREC = (
    *OFFICIAL, "recall", "unj", "rbp", "rbp_resid", "infAP", "gm_bpref", "utility", "11pt_avg", "ndcg",
    "relative_P", "Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G", "set_P",
    "set_recall", "set_relative_P", "set_map", "set_F", "num_nonrel_judged_ret",
)  # fmt: skip
