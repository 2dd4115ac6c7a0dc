"""The built-in measures. A new one is a function that returns a value per topic, and a row here.

Other packages add theirs by entry points, see ``plugged``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from trackside.measuring import counts, gains, precision, sampled
from trackside.statistics.estimate import Reason

if TYPE_CHECKING:
    from trackside.measuring.judged import JudgedRun
    from trackside.measuring.names import Measure

_COMMON_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_RECALL_POINTS = tuple(f"{point / 10:.1f}" for point in range(11))
_R_MULTIPLES = tuple(f"{point / 5:.1f}" for point in range(1, 11))


class Cut(Enum):
    """Whether a measure's name has a cutoff after @: a number of results, or a share (of recall, of R)."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"
    FRACTION = "fraction"


class Summary(Enum):
    """How the values of the topics are combined into one number."""

    MEAN = "mean"
    SUM = "sum"
    SUM_FROM_ONE = "sum of all grades from 1 up"
    GEOMETRIC_MEAN = "geometric mean"
    MEDIAN = "median"
    POOLED_MEAN = "mean over documents"
    POOLED_MEDIAN = "median over documents"


@dataclass(frozen=True, slots=True)
class MeasureFamily:
    """A measure without its cutoff and options.

    ``trec_name`` is trec_eval's name for it without a cutoff, ``trec_cut_name`` the one with cutoffs, and
    ``default_cutoffs`` the cutoffs that trec_eval uses by default. ``is_whole_number`` values print without
    decimals; ``is_summary_only`` measures have no line per topic in trec_eval's output. ``is_higher_better``
    is False for measures that describe a run without ranking it. ``can_be_negative`` values can be below 0
    without a negative option, ``is_unbounded`` ones above 1. ``undefined`` is the only reason for which the
    function returns NaN.
    """

    name: str
    values: Callable[[JudgedRun, Measure], NDArray[np.float64]] = field(compare=False)
    cut: Cut = Cut.NONE
    trec_name: str | None = None
    trec_cut_name: str | None = None
    default_cutoffs: tuple[str, ...] = _COMMON_CUTOFFS
    summary: Summary = Summary.MEAN
    has_level: bool = True
    has_gains: bool = False
    has_points: bool = False
    is_graded: bool = False
    is_sampled: bool = False
    is_whole_number: bool = False
    is_summary_only: bool = False
    is_higher_better: bool = True
    can_be_negative: bool = False
    is_unbounded: bool = False
    defaults: Mapping[str, float] = field(default_factory=dict, compare=False)
    undefined: Reason = Reason.NOTHING_RETRIEVED


def _count(
    name: str,
    values: Callable[[JudgedRun, Measure], NDArray[np.float64]],
    trec_name: str,
    *,
    summary: Summary = Summary.SUM,
) -> MeasureFamily:
    return MeasureFamily(
        name,
        values,
        trec_name=trec_name,
        summary=summary,
        is_whole_number=True,
        is_unbounded=True,
        has_level=values not in (counts.topics, counts.retrieved),
        is_summary_only=values is counts.topics,
        is_higher_better=values is counts.relevant_retrieved,
    )


def _graded(
    name: str,
    values: Callable[[JudgedRun, Measure], NDArray[np.float64]],
    *,
    cut: Cut = Cut.NONE,
    trec_name: str | None = None,
    trec_cut_name: str | None = None,
    has_level: bool = False,
    undefined: Reason = Reason.NOTHING_RETRIEVED,
) -> MeasureFamily:
    return MeasureFamily(
        name,
        values,
        cut=cut,
        trec_name=trec_name,
        trec_cut_name=trec_cut_name,
        has_level=has_level,
        has_gains=True,
        is_higher_better=values is not gains.ideal_dcg,
        is_unbounded=values in (gains.dcg, gains.ideal_dcg),
        undefined=undefined,
    )


def _rank(
    name: str, values: Callable[[JudgedRun, Measure], NDArray[np.float64]], summary: Summary
) -> MeasureFamily:
    return MeasureFamily(
        name,
        values,
        summary=summary,
        is_higher_better=False,
        is_unbounded=True,
        undefined=Reason.NO_RELEVANT_RETRIEVED,
    )


FAMILIES = (
    _count("NumQ", counts.topics, "num_q"),
    _count("NumRet", counts.retrieved, "num_ret"),
    _count("NumRel", counts.relevant, "num_rel", summary=Summary.SUM_FROM_ONE),
    _count("NumRelRet", counts.relevant_retrieved, "num_rel_ret"),
    MeasureFamily(
        "AP", precision.average_precision, cut=Cut.OPTIONAL, trec_name="map", trec_cut_name="map_cut"
    ),
    MeasureFamily(
        "GMAP",
        precision.geometric_average_precision,
        trec_name="gm_map",
        summary=Summary.GEOMETRIC_MEAN,
        is_summary_only=True,
    ),
    MeasureFamily("Rprec", counts.r_precision, trec_name="Rprec"),
    MeasureFamily("bpref", precision.binary_preference, trec_name="bpref"),
    MeasureFamily("RR", precision.reciprocal_rank, cut=Cut.OPTIONAL, trec_name="recip_rank"),
    MeasureFamily(
        "IPrec",
        precision.interpolated_precision,
        cut=Cut.FRACTION,
        trec_cut_name="iprec_at_recall",
        default_cutoffs=_RECALL_POINTS,
    ),
    MeasureFamily("P", counts.precision, cut=Cut.REQUIRED, trec_cut_name="P"),
    MeasureFamily("R", counts.recall, cut=Cut.REQUIRED, trec_cut_name="recall"),
    MeasureFamily("infAP", precision.inferred_average_precision, trec_name="infAP"),
    MeasureFamily(
        "GMbpref",
        precision.geometric_binary_preference,
        trec_name="gm_bpref",
        summary=Summary.GEOMETRIC_MEAN,
        is_summary_only=True,
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
    _graded("DCG", gains.dcg, cut=Cut.OPTIONAL, trec_name="dcg"),
    _graded("iDCG", gains.ideal_dcg, cut=Cut.OPTIONAL, trec_name="ideal_dcg"),
    _graded("nDCG", gains.ndcg, cut=Cut.OPTIONAL, trec_name="ndcg", trec_cut_name="ndcg_cut"),
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
    MeasureFamily("YAAP", precision.smoothed_average_precision, trec_name="yaap", can_be_negative=True),
    MeasureFamily(
        "RBP",
        gains.rank_biased_precision,
        cut=Cut.OPTIONAL,
        trec_name="rbp",
        has_gains=True,
        is_graded=True,
        defaults={"p": 0.9},
    ),
    MeasureFamily(
        "RBPresidual",
        gains.rank_biased_residual,
        has_level=False,
        is_higher_better=False,
        defaults={"p": 0.9},
    ),
    MeasureFamily(
        "RBPunjudged",
        gains.rank_biased_unjudged,
        trec_name="rbp_resid",
        has_level=False,
        is_higher_better=False,
        defaults={"p": 0.9},
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
    MeasureFamily("Judged", counts.judged_share, cut=Cut.REQUIRED, has_level=False, is_higher_better=False),
    MeasureFamily(
        "ERR", gains.expected_reciprocal_rank, cut=Cut.OPTIONAL, has_level=False, defaults={"max": 4.0}
    ),
    MeasureFamily("mAP@R", precision.average_precision_at_r),
    _rank("meanRbest", precision.best_rank, Summary.MEAN),
    _rank("medRbest", precision.best_rank, Summary.MEDIAN),
    _rank("meanRall", precision.mean_rank, Summary.POOLED_MEAN),
    _rank("medRall", precision.median_rank, Summary.POOLED_MEDIAN),
    MeasureFamily("xinfAP", sampled.inferred_average_precision, is_sampled=True),
    MeasureFamily("infNDCG", sampled.inferred_ndcg, is_sampled=True, has_level=False),
    MeasureFamily("iP", sampled.estimated_precision, cut=Cut.REQUIRED, is_sampled=True),
    MeasureFamily(
        "iNumRelRet",
        sampled.estimated_relevant_retrieved,
        summary=Summary.SUM,
        is_sampled=True,
        is_unbounded=True,
    ),
    MeasureFamily(
        "iNumRel", sampled.estimated_relevant, summary=Summary.SUM, is_sampled=True, is_higher_better=False
    ),
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
