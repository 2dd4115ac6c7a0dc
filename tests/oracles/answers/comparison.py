"""Answers about differences between runs: tests, adjusted p-values, favour shown to a family."""

from itertools import combinations
from typing import Any

import numpy as np

from trackside.arrays import Floats
from trackside.findings.excess import relative_delta
from trackside.statistics.comparison.multiplicity import adjust
from trackside.statistics.comparison.paired_tests import (
    differences,
    effect_size,
    randomisation_test,
    sign_test,
    t_test,
    wilcoxon_test,
)
from trackside.statistics.comparison.tukey import tukey_hsd
from trackside.statistics.estimate import Estimate, Reason

SEED = 20260811


def paired_tests(case: dict[str, Any]) -> dict[str, Any]:
    d = differences(case["a"], case["b"])
    t, wilcoxon, sign, size = t_test(d), wilcoxon_test(d), sign_test(d), effect_size(d)
    randomised = randomisation_test(d, seed=SEED)
    return {
        "mean_difference": float(d.mean()),
        "n": d.size,
        "t": t.t,
        "t_p": t.p,
        "t_ci95": t.interval,
        "wilcoxon_V": wilcoxon.v,
        "wilcoxon_p_exact_no_ties": wilcoxon.exact,
        "wilcoxon_p_normal_no_continuity": wilcoxon.normal,
        "wilcoxon_p_normal_continuity": wilcoxon.corrected,
        "sign_test_p": sign.p,
        "wins_ties_losses": [sign.wins, sign.ties, sign.losses],
        "randomisation_p_exact": randomised.p if randomised.is_exact else "too many arrangements",
        "randomisation_p": randomised.p,
        "cohens_dz": size.d_z,
        "hedges_g_z": size.g_z,
    }


def p_adjust(case: dict[str, Any]) -> dict[str, Any]:
    return {method: adjust(case["p"], method) for method in ("bonferroni", "holm", "BH", "BY")}


def tukey(case: dict[str, Any]) -> dict[str, Any]:
    runs, values = case["systems"], np.array(case["topics_by_systems"], dtype=float)
    means = values.mean(axis=0)
    ours = tukey_hsd(values)
    assert ours
    gaps = {(i, j): float(means[j] - means[i]) for i, j in combinations(range(len(runs)), 2)}
    return {
        "pairs": {
            f"{runs[j]}-{runs[i]}": {
                "diff": gap,
                "lwr": gap - ours.half,
                "upr": gap + ours.half,
                "p_two_way": float(ours.p[i, j]),
            }
            for (i, j), gap in gaps.items()
        },
    }


def favour(case: dict[str, Any]) -> dict[str, Any]:
    runs = list(case["mean_score_per_run"])
    means = np.array([case["mean_score_per_run"][run] for run in runs], dtype=float)
    is_in = np.array([case["group_of_run"][run] == case["target_group"] for run in runs])
    answer = {
        "n_group": int(is_in.sum()),
        "n_other": int((~is_in).sum()),
        "mean_group": _mean(means[is_in]),
        "mean_other": _mean(means[~is_in]),
    }
    if not is_in.any():
        return answer | {"relative_delta_percent": Estimate.undefined(Reason.NO_RUN_ON_ONE_SIDE)}
    return answer | {"relative_delta_percent": float(relative_delta(means, is_in))}


def _mean(values: Floats) -> Estimate:
    return Estimate.of(values.mean()) if values.size else Estimate.undefined(Reason.NO_RUN_ON_ONE_SIDE)


ANSWERS = {
    "paired_tests": paired_tests,
    "p_adjust": p_adjust,
    "tukey_hsd_two_way": tukey,
    "relative_delta": favour,
}
