"""Answers about raw scores: as grades, and as yes or no."""

from typing import Any

import numpy as np

from trackside.judging.mappings.fitted_cuts import best_f1_thresholds
from trackside.judging.mappings.mapping import fit_quantiles
from trackside.judging.token_scores import expected_grade
from trackside.statistics.auprc import auprc_without_each


def quantile_mapping(case: dict[str, Any]) -> dict[str, Any]:
    scores, quantiles = case["scores"], case["quantiles"]
    if isinstance(scores, dict):
        pooled = fit_quantiles([s for own in scores.values() for s in own], *quantiles, name="case")
        return {"global_grades": {topic: pooled.grades(own).tolist() for topic, own in scores.items()}}
    mapping = fit_quantiles(scores, *quantiles, name="case")
    grades = mapping.grades(scores)
    return {
        "quantiles_type7": list(mapping.thresholds),
        "grades": grades.tolist(),
        "counts": np.bincount(grades, minlength=3).tolist(),
        "degenerate": len(set(mapping.thresholds)) < len(mapping.thresholds),
    }


def threshold_calibration(case: dict[str, Any]) -> dict[str, Any]:
    relevant, scores = np.array(case["y"], bool), np.array(case["s"])
    best = best_f1_thresholds(relevant, scores)
    area, _ = auprc_without_each(relevant, scores, np.zeros(len(scores), np.int64))
    if not best:
        shares = dict.fromkeys(("threshold_lowest_maximising", "best_f1", "precision_at", "recall_at"))
        return {
            **shares,
            "all_maximising_thresholds": best,
            "reason": "no relevant item",
            "average_precision": area,
        }
    predicted = scores >= best[0]
    right = float((predicted & relevant).sum())
    return {
        "threshold_lowest_maximising": best[0],
        "all_maximising_thresholds": best,
        "best_f1": 2 * right / float(predicted.sum() + relevant.sum()),
        "precision_at": right / float(predicted.sum()),
        "recall_at": right / float(relevant.sum()),
        "average_precision": area,
        "reason": None,
    }


def expected_grades(case: dict[str, Any]) -> dict[str, Any]:
    if "probs" not in case:
        return {}
    probabilities = {int(grade): p for grade, p in case["probs"].items() if grade.lstrip("-").isdigit()}
    expected, mass = expected_grade(probabilities, tuple(sorted(probabilities)))
    return {"expected_grade": expected, "mass": mass}


ANSWERS = {
    "quantile_mapping": quantile_mapping,
    "threshold_calibration": threshold_calibration,
    "ordinal_regression": expected_grades,
}
