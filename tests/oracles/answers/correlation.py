"""Answers about orders of runs."""

from typing import Any

import numpy as np

from tests.references.correlation import (
    exact_kendall_p,
    kendall_tau_a,
    kendall_tau_b,
    pair_counts,
    pearson,
    pearson_interval,
    pearson_p,
    spearman,
)
from tests.references.leaderboard import rank_changes, tau_within_top
from tests.references.rbo import groups_by_value, rank_biased_overlap
from tests.references.top_weighted import tau_ap_a, tau_ap_b, tau_gap, weighted_tau


def kendall(case: dict[str, Any]) -> dict[str, Any]:
    x, y = case["x"], case["y"]
    if "round_to" in case:
        rounded = [np.round(np.array(values, dtype=float), case["round_to"]) for values in (x, y)]
        return {
            "tau_b_after_rounding": kendall_tau_b(*rounded),
            "tau_b_without_rounding": kendall_tau_b(x, y, tie=0.0),
        }
    counts = pair_counts(x, y)
    return {
        "tau_b": kendall_tau_b(x, y),
        "tau_a": kendall_tau_a(x, y),
        "p_exact_two_sided": exact_kendall_p(x, y),
        "n_concordant": counts.concordant,
        "n_discordant": counts.discordant,
        "n_tied_pairs": counts.tied,
    }


def spearman_pearson(case: dict[str, Any]) -> dict[str, Any]:
    x, y = case["x"], case["y"]
    r, n = pearson(x, y), len(x)
    answer: dict[str, Any] = {
        "spearman": spearman(x, y),
        "pearson": r,
        "pearson_ci95_fisher_z": r,
        "pearson_p": r,
    }
    if r.value is not None:
        answer["pearson_ci95_fisher_z"] = pearson_interval(r.value, n)
        answer["pearson_p"] = pearson_p(r.value, n)
    return answer


def ap_tau(case: dict[str, Any]) -> dict[str, Any]:
    x, y = (case[a] if a in case else case[b] for a, b in (("x", "truth"), ("y", "estimate")))
    a, b = tau_ap_a(x, y), tau_ap_b(x, y)
    return {"tau_ap": a, "tau_ap_a": a, "tau_ap_b": b, "tauAP": a, "tauAP_a": a, "tauAP_b": b}


def gap_tau(case: dict[str, Any]) -> dict[str, Any]:
    return {"tau_gap": tau_gap(case["truth"], case["estimate"])}


def tau_with_weights(case: dict[str, Any]) -> dict[str, Any]:
    orders = {True: "both", None: "x", False: "place"}
    weigh_by: Any = orders[case.get("rank", True)]
    is_additive = case.get("additive", True)
    return {"weighted_tau": weighted_tau(case["x"], case["y"], weigh_by=weigh_by, is_additive=is_additive)}


def leaderboard_agreement(case: dict[str, Any]) -> dict[str, Any]:
    human, model = case["human"], case["model"]
    changes = rank_changes(human, model)
    within = {f"tau_within_human_top_{k}": tau_within_top(human, model, k) for k in range(2, len(human) + 1)}
    return {
        "human_rank": changes.before,
        "model_rank": changes.after,
        "max_drop": changes.largest_drop,
        "max_rise": changes.largest_rise,
        "mean_abs_rank_change": changes.mean_change,
        "top_k_overlap": {str(k): changes.top_overlap(k) for k in case["k"]},
        "top1_agrees": changes.has_same_first,
        **within,
    }


def biased_overlap(case: dict[str, Any]) -> dict[str, Any]:
    x, y = (
        groups_by_value(side) if isinstance(side, dict) else [[i] if isinstance(i, str) else i for i in side]
        for side in (case["x"], case["y"])
    )
    overlaps = {ties: rank_biased_overlap(x, y, p=case["p"], ties=ties) for ties in ("a", "b", "w")}
    answer: dict[str, Any] = {"rbo": overlaps["a"].extrapolated, "rbo_ext": overlaps["a"].extrapolated}
    for ties, overlap in overlaps.items():
        answer |= {f"rbo_{ties}": overlap.extrapolated, f"rbo_{ties}_ext": overlap.extrapolated}
        answer |= {f"rbo_{ties}_min": overlap.least, f"rbo_{ties}_max": overlap.most}
    return answer | {
        "rbo_min": overlaps["a"].least,
        "rbo_max": overlaps["a"].most,
        "rbo_res": overlaps["a"].residual,
    }


ANSWERS = {
    "kendall_tau": kendall,
    "spearman_pearson": spearman_pearson,
    "tau_ap": ap_tau,
    "tau_gap": gap_tau,
    "weighted_tau": tau_with_weights,
    "leaderboard_agreement": leaderboard_agreement,
    "rbo": biased_overlap,
}
