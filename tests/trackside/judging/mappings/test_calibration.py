import numpy as np
import pytest

from trackside.errors import InputError
from trackside.judging.mappings.calibration import (
    fit_proportional_odds,
    isotonic_fit,
    round_half_up,
)


def test_isotonic_fit_by_hand() -> None:
    # Violators 1, 0 and 2, 1 are pooled.
    assert isotonic_fit([1, 2, 3, 4, 5, 6], [0, 1, 0, 2, 1, 2]).tolist() == [0, 0.5, 0.5, 1.5, 1.5, 2]


def test_isotonic_fit_takes_items_in_any_order_and_ties_as_one() -> None:
    # Scores 1, 1 have mean grade 1; score 2 has 0.5 on four items: pooled (2 + 2) / 6.
    fitted = isotonic_fit([2, 1, 2, 1, 2, 2], [0, 2, 0, 0, 1, 1])
    assert fitted.tolist() == pytest.approx([4 / 6] * 6)
    assert isotonic_fit([], []).size == 0


def test_halves_are_rounded_up() -> None:
    assert round_half_up([0.5, 1.5, 1.49, 0.0]).tolist() == [1, 2, 1, 0]


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
