"""Answers about orders of runs."""

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from tests.oracles.rbo import groups_by_value, rank_biased_overlap
from tests.oracles.top_weighted import tau_ap_b, tau_gap
from trackside.statistics.correlation import (
    Statistic,
    kendall_tau_b_of_rows,
    largest_drop_of_rows,
    pearson_of_rows,
    spearman_of_rows,
    tau_ap_a_of_rows,
    top_overlap,
)
from trackside.statistics.correlation import rank_biased_overlap as rank_biased_overlap_without_ties
from trackside.statistics.ranks import mid_ranks, run_ranks


def _of(statistic: Statistic, x: ArrayLike, y: ArrayLike) -> float | None:
    """The statistic of one pair; None where it is undefined."""
    value = statistic(*(np.asarray(row, dtype=float)[None] for row in (x, y)))[0]
    return None if np.isnan(value) else float(value)


def kendall(case: dict[str, Any]) -> dict[str, Any]:
    x, y = (np.asarray(case[name], dtype=float) for name in "xy")
    if x.shape != y.shape:
        raise ValueError(f"{x.size} values cannot be paired with {y.size}")
    if "round_to" in case:
        exact = kendall_tau_b_of_rows(x[None], y[None], tie=0.0)[0]
        rounded = (np.round(values, case["round_to"]) for values in (x, y))
        return {
            "tau_b_after_rounding": _of(kendall_tau_b_of_rows, *rounded),
            "tau_b_without_rounding": float(exact),
        }
    # Only tau-b is ours: the others show that we read the case correctly.
    signs = [np.sign(np.subtract.outer(ranks, ranks)) for ranks in map(mid_ranks, (x, y))]
    products = (signs[0] * signs[1])[np.triu_indices(x.size, k=1)]
    return {
        "tau_b": _of(kendall_tau_b_of_rows, x, y),
        "tau_a": products.mean() if products.size else None,
        "p_exact_two_sided": stats.kendalltau(x, y, method="auto").pvalue if x.size else None,
        "n_concordant": int((products > 0).sum()),
        "n_discordant": int((products < 0).sum()),
        "n_tied_pairs": int((products == 0).sum()),
    }


def spearman_pearson(case: dict[str, Any]) -> dict[str, Any]:
    x, y = case["x"], case["y"]
    answer: dict[str, Any] = {"spearman": _of(spearman_of_rows, x, y), "pearson": _of(pearson_of_rows, x, y)}
    if answer["pearson"] is not None:  # the inference is scipy's: we print none
        theirs = stats.pearsonr(x, y)
        answer |= {"pearson_ci95_fisher_z": list(theirs.confidence_interval()), "pearson_p": theirs.pvalue}
    return answer


def ap_tau(case: dict[str, Any]) -> dict[str, Any]:
    x, y = (case[a] if a in case else case[b] for a, b in (("x", "truth"), ("y", "estimate")))
    a, b = _of(tau_ap_a_of_rows, x, y), tau_ap_b(x, y)
    return {"tau_ap": a, "tau_ap_a": a, "tau_ap_b": b, "tauAP": a, "tauAP_a": a, "tauAP_b": b}


def gap_tau(case: dict[str, Any]) -> dict[str, Any]:
    return {"tau_gap": tau_gap(case["truth"], case["estimate"])}


def tau_with_weights(case: dict[str, Any]) -> dict[str, Any]:
    """Scipy's, because we print none."""
    options = {"rank": case.get("rank", True), "additive": case.get("additive", True)}
    tau = stats.weightedtau(case["x"], case["y"], **options).statistic
    return {"weighted_tau": None if np.isnan(tau) else float(tau)}


def leaderboard_agreement(case: dict[str, Any]) -> dict[str, Any]:
    tags = sorted(case["human"])  # rows of runs break ties by column
    human, model = ([case[side][tag] for tag in tags] for side in ("human", "model"))
    before, after = (run_ranks(case[side]) for side in ("human", "model"))
    changes = [after[tag] - before[tag] for tag in tags]
    first = np.argsort([before[tag] for tag in tags])
    return {
        "human_rank": before,
        "model_rank": after,
        "max_drop": _of(largest_drop_of_rows, human, model),
        "max_rise": _of(largest_drop_of_rows, model, human),
        "mean_abs_rank_change": float(np.abs(changes).mean()),
        "top_k_overlap": {str(k): _of(top_overlap(k), human, model) for k in case["k"]},
        "top1_agrees": _of(top_overlap(1), human, model) == 1.0,
        **{
            f"tau_within_human_top_{k}": _of(
                kendall_tau_b_of_rows, np.array(human)[first[:k]], np.array(model)[first[:k]]
            )
            for k in range(2, len(tags) + 1)
        },
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
    if not any(len(group) > 1 for group in (*x, *y)):
        answer["rbo_ext"] = _without_ties([*chain(*x)], [*chain(*y)], p=case["p"])
    return answer | {
        "rbo_min": overlaps["a"].least,
        "rbo_max": overlaps["a"].most,
        "rbo_res": overlaps["a"].residual,
    }


def _without_ties(x: list[str], y: list[str], *, p: float) -> float:
    shared = [item for item in x if item in y]
    first, second = (np.array([side.index(item) + 1 for item in shared], dtype=np.int64) for side in (x, y))
    return rank_biased_overlap_without_ties(first, second, (len(x), len(y)), p=p)


ANSWERS = {
    "kendall_tau": kendall,
    "spearman_pearson": spearman_pearson,
    "tau_ap": ap_tau,
    "tau_gap": gap_tau,
    "weighted_tau": tau_with_weights,
    "leaderboard_agreement": leaderboard_agreement,
    "rbo": biased_overlap,
}
