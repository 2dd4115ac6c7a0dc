"""Answers about measures of runs."""

from io import BytesIO
from typing import Any

from tests.oracles.answers.offered import Offered
from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate

TREC = (
    "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "P.1,5,10,15,20,30", "recall.1,5,10,100,1000", "infAP", "gm_bpref", "11pt_avg", "ndcg",
    "ndcg_cut.1,5,10,20,100", "map_cut.5,10", "success.1,5,10", "set_P", "set_recall", "set_F", "unj.5,10,20",
)  # fmt: skip
CUTOFFS = (1, 5, 10, 20, 50, 100)


def trec_eval_measures(case: dict[str, Any]) -> dict[str, Any]:
    arguments = case["trec_eval_args"]
    is_complete = "-c" in arguments
    max_results = int(arguments[arguments.index("-M") + 1]) if "-M" in arguments else None
    judged_only = "-J" in arguments
    answer: dict[str, Any] = {}
    for level in (1, 2, 3):
        answer[f"rel_level_{level}"] = _by_topic(
            case["run"],
            case["qrels"],
            level=level,
            max_results=max_results,
            is_judged_only=judged_only,
            is_complete=is_complete,
        )
    answer["full_precision_rel_level_1_pytrec_eval"] = answer["rel_level_1"]
    return answer


def _by_topic(run: Any, qrels: Any, *, is_complete: bool, **options: Any) -> dict[str, Any]:
    """Values by topic, and `all` unless trec_eval 10 would have stopped at a judged topic without results."""
    shared = {topic: grades for topic, grades in qrels.items() if is_complete or topic in run}
    found = evaluate(
        [Rankings.from_dict(run)], Qrels.from_dict(shared), TREC, is_complete=is_complete, **options
    )
    names = [str(measure.trec_name) for measure in found.measures]
    answer: dict[str, Any] = {
        topic: Offered(zip(names, found.values[0, 0, place].tolist(), strict=True))
        for place, topic in enumerate(found.topics)
    }
    if shared.keys() == qrels.keys():
        answer["all"] = Offered(zip(names, found.summaries[0, 0].tolist(), strict=True))
    return Offered(answer)


def sampled(case: dict[str, Any]) -> dict[str, Any]:
    lines = [
        f"{topic} 0 {docno} {stratum} {grade}\n"
        for topic, docnos in case["qrels_topic_doc_stratum_grade"].items()
        for docno, (stratum, grade) in docnos.items()
    ]
    prels = Qrels.from_file(BytesIO("".join(lines).encode()), is_sampled=True)
    measures = {
        "infAP": "xinfAP",
        "infNDCG": "infNDCG",
        **{f"iP{k}": f"iP@{k}" for k in CUTOFFS},
        "inum_rel_ret": "iNumRelRet",
        "inum_rel": "iNumRel",
    }
    found = evaluate([Rankings.from_dict(case["run"])], prels, list(measures.values()))
    answer = {
        topic: Offered(zip(measures, found.values[0, 0, place].tolist(), strict=True))
        for place, topic in enumerate(found.topics)
    }
    return answer | {"all": Offered(zip(measures, found.summaries[0, 0].tolist(), strict=True))}


def incomplete(case: dict[str, Any]) -> dict[str, Any]:
    docnos, grades = case["ranking"], case["qrels"]
    run = Rankings.from_dict({"1": {docno: -float(place) for place, docno in enumerate(docnos)}})
    qrels = Qrels.from_dict({"1": grades})
    if "p" in case:
        gains = {int(grade): gain for grade, gain in case["gains"].items()}
        p = case["p"]
        measures = [f"RBP(p={p})", f"RBPresidual(p={p})"]
        rbp, residual = evaluate([run], qrels, measures, gains=gains).summaries[0, 0].tolist()
        return {"rbp": rbp, "residual": residual, "upper": rbp + residual}
    trec = ("map", "recip_rank", "Rprec", "P_5", "P_10", "ndcg", "ndcg_cut_5", "ndcg_cut_10")
    condensed = evaluate([run], qrels, trec, is_judged_only=True).summaries[0, 0].tolist()
    judged = evaluate([run], qrels, [f"Judged@{k}" for k in CUTOFFS]).summaries[0, 0].tolist()
    shares = dict(zip(CUTOFFS, judged, strict=True))
    return {
        "condensed": [docno for docno in docnos if docno in grades],
        **dict(zip(trec, condensed, strict=True)),
        **{f"judged_at_{k}": share for k, share in shares.items()},
        **{f"unjudged_at_{k}": 1 - share for k, share in shares.items()},
    }


def vision(case: dict[str, Any]) -> dict[str, Any]:
    ranks = case["ranks_of_relevant_items_per_query"]
    run = {
        str(t): {str(rank): -float(rank) for rank in range(1, max(own) + 1)} for t, own in enumerate(ranks)
    }
    qrels = {str(t): {str(rank): 1 for rank in own} for t, own in enumerate(ranks)}
    measures = {
        **{f"success@{k}": f"Success@{k}" for k in CUTOFFS},
        **{f"recall@{k}_ir": f"R@{k}" for k in CUTOFFS},
        "meanR_best": "meanRbest",
        "medR_best": "medRbest",
        "meanR_all": "meanRall",
        "medR_all": "medRall",
        "mAP_at_R": "mAP@R",
        "R_precision": "Rprec",
    }
    found = evaluate([Rankings.from_dict(run)], Qrels.from_dict(qrels), list(measures.values()))
    return dict(zip(measures, found.summaries[0, 0].tolist(), strict=True))


ANSWERS = {
    "trec_eval_measures": trec_eval_measures,
    "sampled_measures_xinfap": sampled,
    "incomplete_judgments": incomplete,
    "vision_retrieval": vision,
}
