"""Answers about grades of the same items by two judges or more."""

from itertools import combinations
from typing import Any

import numpy as np

from tests.references.agreement import kappa_at_cut, kappa_interval, kappa_max
from tests.references.overlap import (
    joint_overlap,
    leniency,
    mean_absolute_error,
    relevance_agreement,
)
from trackside.statistics.agreement.coefficients import (
    cohen_kappa,
    confusion_matrix,
    disagreement,
    invalid_count,
    kappa_of_matrix,
    observed_agreement,
)
from trackside.statistics.agreement.reliability import fleiss_kappa, gwet_of_matrix, krippendorff_alpha
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
    plain, quadratic = kappa_interval(matrix, scale), _psych_interval(matrix, scale)
    return {
        "confusion_rows_a_cols_b": matrix.tolist(),
        "n": int(matrix.sum()),
        "kappa_unweighted": cohen_kappa(a, b, scale),
        "kappa_linear": cohen_kappa(a, b, scale, "linear"),
        "kappa_quadratic": cohen_kappa(a, b, scale, "quadratic"),
        "kappa_max": kappa_max(matrix),
        **{f"kappa_binary_ge_{cut}": kappa_at_cut(a, b, cut) for cut in scale[1:]},
        "observed_agreement": observed_agreement(matrix),
        "psych_ci95_unweighted_lower_est_upper": [plain.low, cohen_kappa(a, b, scale), plain.high],
        "psych_ci95_quadratic_lower_est_upper": [
            quadratic[0],
            cohen_kappa(a, b, scale, "quadratic"),
            quadratic[1],
        ],
    }


def _psych_interval(matrix: Any, scale: tuple[int, ...]) -> tuple[float, float] | tuple[None, None]:
    """The interval of weighted kappa that R's psych prints; ours differs.

    psych 2.2.9 takes a row's own margin times its sum of weights where Fleiss, Cohen and Everitt (1969)
    take the mean of the weights over the other judge's margin. Ours follows the paper. In 400,000
    samples of 200 items from Cohen's table of 1960 kappa has a standard deviation of 0.0664; ours gives
    0.0665 and psych's 0.0643.
    """
    kappa = kappa_of_matrix(matrix, scale, "quadratic").value
    if kappa is None:
        return None, None
    cost = disagreement(scale, "quadratic")
    similar, shares = 1 - cost / cost.max(), matrix / matrix.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, chance = (similar * shares).sum(), rows @ similar @ columns
    margins = (similar @ columns)[:, None] + (rows * similar.sum(axis=1))[None, :]
    spread = (shares * (similar * (1 - chance) - margins * (1 - observed)) ** 2).sum()
    spread -= (observed * chance - 2 * chance + observed) ** 2
    half = 1.959963984540054 * np.sqrt(max(spread, 0.0) / matrix.sum()) / (1 - chance) ** 2
    return kappa - half, kappa + half


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
    judges = {name: grades for name, grades in case.items() if name in "abcdefgh"}
    a, b = judges["a"], judges["b"]
    if len(judges) > 2:
        pairs = {
            x + y: relevance_agreement(judges[x], judges[y], level=level).overlap
            for x, y in combinations(judges, 2)
        }
        return {
            "overlap_three_way": joint_overlap(list(judges.values()), level=level),
            **{f"overlap_{pair}": overlap for pair, overlap in pairs.items()},
            "mean_pairwise_overlap": _mean(list(pairs.values())),
        }
    relevance = relevance_agreement(a, b, level=level)
    scale = tuple(sorted({*a, *b}))
    return {
        "overlap": relevance.overlap,
        "precision_b_given_a": relevance.precision,
        "recall_b_given_a": relevance.recall,
        "positive_agreement": relevance.positive_agreement,
        "negative_agreement": relevance.negative_agreement,
        "mae": mean_absolute_error(a, b),
        "mean_signed_difference_b_minus_a": leniency(a, b),
        "accuracy": observed_agreement(confusion_matrix(a, b, scale)),
    }


def _mean(estimates: list[Estimate]) -> float | None:
    known = [e.value for e in estimates if e.value is not None]
    return sum(known) / len(known) if len(known) == len(estimates) else None


ANSWERS = {
    "cohen_kappa": cohen,
    "krippendorff_alpha": krippendorff,
    "fleiss_kappa": fleiss,
    "gwet_ac": gwet,
    "overlap_and_error": overlap_and_error,
}
