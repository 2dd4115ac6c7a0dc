"""Answers about orders of runs."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trackside.statistics.correlation import (
    Statistic,
    kendall_tau_b_of_rows,
    largest_drop_of_rows,
    pearson_of_rows,
    spearman_of_rows,
    top_overlap,
)
from trackside.statistics.ranks import run_ranks


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
    return {"tau_b": _of(kendall_tau_b_of_rows, x, y)}


def spearman_pearson(case: dict[str, Any]) -> dict[str, Any]:
    x, y = case["x"], case["y"]
    return {"spearman": _of(spearman_of_rows, x, y), "pearson": _of(pearson_of_rows, x, y)}


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


ANSWERS = {
    "kendall_tau": kendall,
    "spearman_pearson": spearman_pearson,
    "leaderboard_agreement": leaderboard_agreement,
}
