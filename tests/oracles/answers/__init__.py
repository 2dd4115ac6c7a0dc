"""What we answer to a case: for each statistic a function from the case's input to our values by key."""

import re
from collections.abc import Callable
from typing import Any

from tests.oracles.answers import agreement, calibration, comparison, correlation, measures, people, pools

Answer = Callable[[dict[str, Any]], dict[str, Any]]

# Values of the cases, as statistic/key, that Trackside does not compute.
NOT_OURS = re.compile(
    r"(tau_gap|weighted_tau)/.*|kendall_tau/(tau_a|p_.*|n_.*)|spearman_pearson/pearson_(ci95_fisher_z|p)"
    r"|quantile_mapping/(quantiles_type[68]|ecdf_at_scores|per_topic_grades)"
    r"|isotonic_calibration/.*|ordinal_regression/(beta|cutpoints|loglik|(prob|expected_grade)_at_.*)"
    r"|threshold_calibration/(trapezoid_auprc|roc_auc|youden_threshold)"
    r"|tukey_hsd_two_way/(residual_ms_two_way|F_systems|p_systems|pairs\..*\.p_one_way_WRONG_for_paired)"
    r"|relative_delta/(permutation_p_two_sided_exact|n_permutations)"
    r"|cohen_kappa/psych_ci95_.*|human_annotation/log_slope_per_judgment"
    r"|overlap_and_error/(overlap_three_way|mean_pairwise_overlap|(positive|negative)_agreement)"
)
ANSWERS: dict[str, Answer] = {
    **agreement.ANSWERS,
    **calibration.ANSWERS,
    **comparison.ANSWERS,
    **correlation.ANSWERS,
    **measures.ANSWERS,
    **people.ANSWERS,
    **pools.ANSWERS,
}
