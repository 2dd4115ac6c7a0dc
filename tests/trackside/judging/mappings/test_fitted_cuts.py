from math import inf

import numpy as np
import pytest

from tests.refusals import refused
from trackside.judging.mappings.calibration import fit_proportional_odds
from trackside.judging.mappings.fitted_cuts import fit_f1_cuts, fit_isotonic_cuts, fit_ordinal_cuts
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

    # The tests of trackside.judging.mappings.calibration compare the model with a reference.
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
