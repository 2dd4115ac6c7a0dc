"""Answers about grades of the same items by two judges or more."""

from itertools import combinations
from typing import Any

import numpy as np

from trackside.statistics.agreement import (
    coefficients,
    cohen_kappa,
    confusion_matrix,
    estimate_of,
    fleiss_kappa,
    gwet_of_matrix,
    invalid_count,
    krippendorff_alpha,
    observed_agreement,
)
from trackside.statistics.estimate import Estimate


def cohen(case: dict[str, Any]) -> dict[str, Any]:
    a, b, scale = np.array(case["a"], dtype=int), np.array(case["b"], dtype=int), tuple(case["labels"])
    invalid = invalid_count(a, scale) + invalid_count(b, scale)
    if invalid:
        valid = np.isin(a, scale) & np.isin(b, scale)
        return {
            "must_report_invalid_count": invalid,
            "kappa_if_invalid_dropped": cohen_kappa(a[valid], b[valid], scale),
            f"kappa_if_clipped_to_{scale[-1]}": cohen_kappa(
                a.clip(max=scale[-1]), b.clip(max=scale[-1]), scale
            ),
        }
    matrix = confusion_matrix(a, b, scale)
    ours = _coefficients(matrix, scale)
    return {
        "confusion_rows_a_cols_b": matrix.tolist(),
        "n": int(matrix.sum()),
        "kappa_unweighted": cohen_kappa(a, b, scale),
        "kappa_linear": cohen_kappa(a, b, scale, "linear"),
        "kappa_quadratic": cohen_kappa(a, b, scale, "quadratic"),
        "kappa_max": ours["ceiling of kappa"],
        **{f"kappa_binary_ge_{cut}": ours[f"kappa, {cut} or more"] for cut in scale[1:]},
        "observed_agreement": observed_agreement(matrix),
    }


def krippendorff(case: dict[str, Any]) -> dict[str, Any]:
    table = case["raters_by_items"]
    return {
        "nominal": krippendorff_alpha(table, "nominal"),
        "ordinal": krippendorff_alpha(table, "ordinal"),
        "interval": krippendorff_alpha(table, "interval"),
    }


def fleiss(case: dict[str, Any]) -> dict[str, Any]:
    kappa = fleiss_kappa(case["items_by_category_counts"])
    return {"fleiss_kappa": kappa, "reason": kappa.reason and kappa.reason.words}


def gwet(case: dict[str, Any]) -> dict[str, Any]:
    scale = tuple(case["labels"])
    matrix = confusion_matrix(case["a"], case["b"], scale)
    return {
        "gwet_ac1": gwet_of_matrix(matrix, scale),
        "gwet_ac2_linear": gwet_of_matrix(matrix, scale, "linear"),
        "gwet_ac2_quadratic": gwet_of_matrix(matrix, scale, "quadratic"),
    }


def overlap_and_error(case: dict[str, Any]) -> dict[str, Any]:
    level = case["relevance_threshold"]
    judges = {name: np.array(grades, dtype=int) for name, grades in case.items() if name in "abcdefgh"}
    scale = tuple(range(max(level, *map(np.max, judges.values())) + 1))
    pairs = {x + y: confusion_matrix(judges[x], judges[y], scale) for x, y in combinations(judges, 2)}
    ours = {pair: _coefficients(matrix, scale) for pair, matrix in pairs.items()}
    overlap = f"overlap, {level} or more"
    if len(judges) > 2:
        return {
            **{f"overlap_{pair}": agreement[overlap] for pair, agreement in ours.items()},
        }
    (pair,) = ours.values()
    return {
        "overlap": pair[overlap],
        "precision_b_given_a": pair[f"precision, {level} or more"],
        "recall_b_given_a": pair[f"recall, {level} or more"],
        "mae": pair["mean absolute error"],
        "mean_signed_difference_b_minus_a": pair["leniency"],
        "accuracy": pair["same grade"],
    }


def _coefficients(matrix: Any, scale: tuple[int, ...]) -> dict[str, Estimate]:
    return {name: estimate_of(statistic, matrix) for name, statistic in coefficients(scale).items()}


ANSWERS = {
    "cohen_kappa": cohen,
    "krippendorff_alpha": krippendorff,
    "fleiss_kappa": fleiss,
    "gwet_ac": gwet,
    "overlap_and_error": overlap_and_error,
}
