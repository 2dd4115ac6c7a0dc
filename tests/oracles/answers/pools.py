"""Answers about pools and fused runs."""

from typing import Any

from trackside.files import Rankings
from trackside.fusion.methods import comb_mnz, comb_sum, reciprocal_rank_fusion, weighted_sum
from trackside.pooling.depth import depth_pool
from trackside.pooling.recipes import (
    borda_mnz_order,
    budget_pool,
    move_to_front,
    rank_biased_order,
    reciprocal_rank_order,
)


def pooling(case: dict[str, Any]) -> dict[str, Any]:
    if "runs_scores" in case:
        return _fused(case)
    if "depth" in case:
        return _depth(case)
    if "qrels" in case or "relevant" in case or "front" in case["case_id"]:
        return _moved(case)
    return _prioritised(case)


def _depth(case: dict[str, Any]) -> dict[str, Any]:
    pool = depth_pool(case["runs"], case["depth"])
    unique = {f"run:{run}": topics for run, topics in pool.unique_to_runs().items()}
    unique |= {f"group:{group}": topics for group, topics in pool.unique_to(case["groups"]).items()}
    return {
        "pool": pool.topics,
        "size": {topic: len(docnos) for topic, docnos in pool.topics.items()},
        "unique": unique,
        "total_slots": pool.slot_count,
        "overlap_ratio": pool.overlap,
    }


def _prioritised(case: dict[str, Any]) -> dict[str, Any]:
    runs = case["runs"]
    topics = sorted({topic for ranking in runs.values() for topic in ranking})
    own = {topic: {run: ranking.get(topic, []) for run, ranking in runs.items()} for topic in topics}
    if "rbp" in case["case_id"] or "p" in case:
        orders = {topic: rank_biased_order(rankings, p=case.get("p", 0.8)) for topic, rankings in own.items()}
    elif "mnz" in case["case_id"]:
        orders = {topic: borda_mnz_order(rankings) for topic, rankings in own.items()}
    else:
        k = case.get("k", 60)
        orders = {topic: reciprocal_rank_order(rankings, k=k) for topic, rankings in own.items()}
    budget = case.get("budget_per_topic", 0)
    return {
        "order_and_score": orders,
        "pool": {topic: budget_pool(order, budget) for topic, order in orders.items()},
    }


def _moved(case: dict[str, Any]) -> dict[str, Any]:
    grades = case.get("qrels") or {
        topic: dict.fromkeys(docnos, 1) for topic, docnos in case["relevant"].items()
    }
    runs = case["runs"]
    topics = sorted({topic for ranking in runs.values() for topic in ranking})
    orders = {}
    for topic in topics:
        rankings = {run: ranking.get(topic, []) for run, ranking in runs.items()}
        judged = {
            docno: grades.get(topic, {}).get(docno, 0) > 0 for docnos in rankings.values() for docno in docnos
        }
        orders[topic] = move_to_front(rankings, judged, limit=1)[: case.get("budget_per_topic")]
    return {
        "order": orders,
        "judged_order": orders,
        "pool": {topic: tuple(sorted(o)) for topic, o in orders.items()},
    }


def _fused(case: dict[str, Any]) -> dict[str, Any]:
    runs = [Rankings.from_dict(scores, tag=tag) for tag, scores in case["runs_scores"].items()]
    norm: Any = case.get("norm") or "none"
    if "rrf" in case["case_id"]:
        fused = reciprocal_rank_fusion(runs, k=case.get("k", 60))
    elif "mnz" in case["case_id"]:
        fused = comb_mnz(runs, norm=norm)
    elif "wsum" in case["case_id"] or "weights" in case:
        fused = weighted_sum(runs, case["weights"], norm=norm)
    else:
        fused = comb_sum(runs, norm=norm)
    return {"scores": fused.to_dict()}


ANSWERS = {"pooling": pooling}
