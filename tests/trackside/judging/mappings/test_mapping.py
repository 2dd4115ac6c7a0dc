from collections.abc import Sequence

import numpy as np
import pytest

from tests.refusals import refused
from trackside.judging.mappings.mapping import (
    Cuts,
    NothingToMap,
    QuantileMapping,
    fit_cuts,
    fit_quantiles,
)
from trackside.statistics.agreement import cohen_kappa


def fit_paper_2024(scores: Sequence[float]) -> QuantileMapping:
    """The published rule: cuts at the median and the 75 % quantile."""
    return fit_quantiles(scores, 0.5, 0.75, name="paper-2024")


def test_paper_2024_takes_the_linear_quantiles_of_all_scores() -> None:
    # Of 1 to 8 the median lies at place 3.5 (4.5), the 75 % quantile at place 5.25 (6.25).
    mapping = fit_paper_2024([8, 1, 7, 2, 6, 3, 5, 4])
    assert mapping == QuantileMapping((4.5, 6.25), 8, "paper-2024")
    assert mapping.grades(range(1, 9)).tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert mapping.grades([100, -100]).tolist() == [2, 0]  # of a later pool
    # Where half of the scores or more are equal, no pair gets the lowest grade.
    assert fit_paper_2024([50, 50, 50, 50]).grades([50, 50]).tolist() == [1, 1]
    assert np.bincount(fit_paper_2024([0] * 7 + [70]).grades([0] * 7 + [70])).tolist() == [0, 7, 1]


def test_a_score_on_a_threshold_gets_grade_1() -> None:
    mapping = QuantileMapping((0.5, 0.75), 4)
    assert mapping.grades([0.49, 0.5, 0.75, 0.76]).tolist() == [0, 1, 1, 2]


def test_a_mapping_needs_scores_that_are_numbers() -> None:
    with pytest.raises(NothingToMap, match="Let the judge score the pool first"):
        fit_paper_2024([])
    with pytest.raises(ValueError, match="omit pairs without a score"):
        fit_paper_2024([1.0, float("nan")])
    with pytest.raises(ValueError, match="not a finite number"):
        QuantileMapping((0.5, 0.75), 4).grades([float("inf")])


def test_a_score_on_a_cut_gets_the_higher_grade() -> None:
    cuts = Cuts((0, 1, 2), (34, 67))
    assert cuts.grades([0, 33.9, 34, 66.9, 67, 100]).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("cuts", [(2.0,), (2.0, 1.0), (1.0, 2.0, 3.0)])
def test_cuts_must_rise_and_fit_the_scale(cuts: tuple[float, ...]) -> None:
    with refused("cuts-do-not-rise", match="need 2 rising cuts"):
        Cuts((0, 1, 2), cuts)


def test_fitted_cuts_find_the_steps_in_peoples_grades() -> None:
    scores = list(range(30))
    grades = [0] * 12 + [1] * 10 + [2] * 8
    cuts = fit_cuts(scores, grades, (0, 1, 2))
    assert (cuts.cuts, cuts.n, cuts.name) == ((12.0, 22.0), 30, "kappa-cuts")


def test_fitted_cuts_reach_the_highest_kappa_of_all_cuts() -> None:
    rng = np.random.default_rng(4)
    grades = rng.integers(0, 3, 40)
    scores = np.round(grades + rng.normal(0, 1, 40), 1)
    cuts = fit_cuts(scores, grades, (0, 1, 2))
    values = np.unique(scores)[1:]
    tried = [
        cohen_kappa(grades, Cuts((0, 1, 2), (low, high)).grades(scores), (0, 1, 2), "quadratic").value or -1.0
        for low in values
        for high in values
        if low < high
    ]
    reached = cohen_kappa(grades, cuts.grades(scores), (0, 1, 2), "quadratic").value
    assert reached == pytest.approx(max(tried))


def test_cuts_cannot_be_fitted_without_different_scores() -> None:
    for scores, grades in (([], []), ([1.0, 1.0], [0, 1]), ([1.0, 2.0], [0, 2])):
        with pytest.raises(NothingToMap):
            fit_cuts(scores, grades, (0, 1, 2))
