from math import inf

import numpy as np
import pytest

from tests.refusals import refused
from trackside.errors import InputError
from trackside.judging.mappings.fitted_cuts import (
    best_f1_thresholds,
    fit_f1_cuts,
    fit_isotonic_cuts,
    fit_ordinal_cuts,
    fit_proportional_odds,
    isotonic_fit,
)
from trackside.judging.mappings.mapping import NothingToMap

SCALE = (0, 1, 2)


def noisy(seed: int = 3, count: int = 60) -> tuple[list[float], list[int]]:
    """Scores that rise with the grades, with noise and ties."""
    random = np.random.default_rng(seed)
    grades = random.integers(0, 3, count)
    return np.round(grades + random.normal(0, 0.8, count), 1).tolist(), grades.tolist()


def f1(said: np.ndarray, true: np.ndarray) -> float:
    """2 TP / (2 TP + FP + FN), from its definition."""
    return float(2 * (said & true).sum() / (said.sum() + true.sum()))


def test_f1_cuts_reach_the_best_f1_of_all_cuts() -> None:
    scores, grades = (np.array(each) for each in noisy())

    cuts = fit_f1_cuts(scores, grades, SCALE)

    for grade, cut in zip((1, 2), cuts.cuts, strict=True):
        tried = [f1(scores >= value, grades >= grade) for value in np.unique(scores)]
        assert f1(scores >= cut, grades >= grade) == pytest.approx(max(tried))
    assert (cuts.n, cuts.name) == (60, "f1-cuts")


def test_f1_cuts_never_give_a_grade_that_people_never_gave() -> None:
    assert fit_f1_cuts([1.0, 2.0, 3.0], [0, 1, 1], SCALE).cuts == (2.0, inf)


def test_isotonic_cuts_are_where_the_regression_passes_the_middle() -> None:
    # Pool adjacent violators by hand: grades 0 0 1 0 2 1 2 2 at scores 1 to 8. The third and fourth violate,
    # their mean is 0.5; so do the fifth and sixth, 1.5. Halves go up: 1 from score 3, 2 from score 5.
    cuts = fit_isotonic_cuts(range(1, 9), [0, 0, 1, 0, 2, 1, 2, 2], SCALE)

    assert (cuts.cuts, cuts.n, cuts.name) == ((3.0, 5.0), 8, "isotonic")


def test_isotonic_cuts_never_reach_a_grade_that_the_regression_stays_below() -> None:
    # The fitted grade of the highest score is the mean of 0, 2 and 2: 1.33, nearer to 1.
    assert fit_isotonic_cuts([1, 2, 2, 2], [0, 0, 2, 2], SCALE).cuts == (2.0, inf)


def test_ordinal_cuts_are_where_the_expected_grade_is_half_way() -> None:
    scores, grades = noisy()

    cuts = fit_ordinal_cuts(scores, grades, SCALE)

    # The tests of trackside.judging.mappings.fitted_cuts compare the model with a reference.
    expected = fit_proportional_odds(scores, grades).expected_grades(cuts.cuts)
    assert expected.tolist() == pytest.approx([0.5, 1.5], abs=1e-9)
    assert (cuts.n, cuts.name) == (60, "ordinal")


def test_ordinal_cuts_never_reach_a_grade_that_people_never_gave() -> None:
    scores, grades = noisy()

    cuts = fit_ordinal_cuts(scores, [min(grade, 1) for grade in grades], SCALE)

    assert cuts.cuts[1] == inf
    assert cuts.cuts[0] < inf


def test_ordinal_cuts_refuse_scores_that_fall() -> None:
    scores, grades = noisy()

    with refused("scores-fall"):
        fit_ordinal_cuts([-score for score in scores], grades, SCALE)


@pytest.mark.parametrize("fit", [fit_f1_cuts, fit_isotonic_cuts, fit_ordinal_cuts])
def test_cuts_need_a_pair(fit: object) -> None:
    with pytest.raises(NothingToMap):
        fit([], [], SCALE)  # type: ignore[operator]


def test_isotonic_fit_by_hand() -> None:
    # Violators 1, 0 and 2, 1 are pooled.
    assert isotonic_fit([1, 2, 3, 4, 5, 6], [0, 1, 0, 2, 1, 2]).tolist() == [0, 0.5, 0.5, 1.5, 1.5, 2]


def test_isotonic_fit_takes_items_in_any_order_and_ties_as_one() -> None:
    # Scores 1, 1 have mean grade 1; score 2 has 0.5 on four items: pooled (2 + 2) / 6.
    fitted = isotonic_fit([2, 1, 2, 1, 2, 2], [0, 2, 0, 0, 1, 1])
    assert fitted.tolist() == pytest.approx([4 / 6] * 6)
    assert isotonic_fit([], []).size == 0


def test_proportional_odds_of_two_grades_is_logistic_regression() -> None:
    # Grade 1 for 1 of 4 items at score 0 and 3 of 4 at score 1: odds 1/3 and 3, slope 2 ln 3, cut ln 3.
    fit = fit_proportional_odds([0] * 4 + [1] * 4, [0, 0, 0, 1, 0, 1, 1, 1])
    assert fit.slope == pytest.approx(2 * np.log(3), abs=1e-4)
    assert fit.cuts == pytest.approx((np.log(3),), abs=1e-4)
    assert fit.log_likelihood == pytest.approx(6 * np.log(0.75) + 2 * np.log(0.25))
    assert fit.probabilities([1])[0].tolist() == pytest.approx([0.25, 0.75], abs=1e-4)
    assert fit.expected_grades([0, 1]).tolist() == pytest.approx([0.25, 0.75], abs=1e-4)


def test_proportional_odds_finds_the_model_that_made_the_grades() -> None:
    rng = np.random.default_rng(8)
    scores = rng.uniform(0, 100, 20_000)
    noise = rng.logistic(size=scores.size)
    grades = (0.05 * scores + noise > 2).astype(int) + (0.05 * scores + noise > 4)
    fit = fit_proportional_odds(scores, grades)
    # The standard error of the slope is about 0.0007, that of a cut 0.04.
    assert fit.slope == pytest.approx(0.05, abs=0.003)
    assert fit.cuts == pytest.approx((2, 4), abs=0.15)
    assert fit.grades == (0, 1, 2)


def test_proportional_odds_keep_the_grades_that_occur() -> None:
    fit = fit_proportional_odds([0] * 4 + [1] * 4, [0, 0, 0, 2, 0, 2, 2, 2])
    assert fit.grades == (0, 2)
    assert fit.expected_grades([1])[0] == pytest.approx(1.5, abs=1e-3)


@pytest.mark.parametrize(
    ("scores", "grades"),
    [([1, 2, 3], [1, 1, 1]), ([2, 2, 2], [0, 1, 2]), ([1, 2, 3, 4], [0, 0, 1, 1])],
    ids=["one grade", "one score", "separated"],
)
def test_scores_and_grades_without_a_fit_are_refused(scores: list[float], grades: list[int]) -> None:
    with pytest.raises(InputError, match="grade more items"):
        fit_proportional_odds(scores, grades)


@pytest.mark.parametrize(
    ("relevant", "scores", "best"),
    [
        # Of 0.8, 0.4, 0.35, 0.1: right 1, 1, 2, 2 and predicted 1, 2, 3, 4 of 2: F1 2/3, 1/2, 4/5, 2/3.
        ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], (0.35,)),
        # Of 4, 3, 2, 1: right 1, 1, 1, 2 and predicted 1, 2, 3, 4 of 2: F1 2/3, 1/2, 2/5, 2/3.
        ([1, 0, 0, 1], [4, 3, 2, 1], (1.0, 4.0)),
        # Tied scores are one threshold: right 1, 2 and predicted 2, 3 of 2: F1 1/2, 4/5.
        ([1, 0, 1], [0.5, 0.5, 0.2], (0.2,)),
        ([0, 0], [0.1, 0.2], ()),
    ],
)
def test_thresholds_of_the_best_f1(relevant: list[int], scores: list[float], best: tuple[float, ...]) -> None:
    assert best_f1_thresholds(relevant, scores) == best
