import numpy as np
import pytest

from tests.refusals import refused
from trackside.judging.mappings.cuts import Cuts, fit_cuts
from trackside.judging.mappings.mapping import NothingToMap
from trackside.statistics.agreement import cohen_kappa


def test_a_score_on_a_cut_gets_the_higher_grade() -> None:
    cuts = Cuts((0, 1, 2), (34, 67))
    assert cuts.grades([0, 33.9, 34, 66.9, 67, 100]).tolist() == [0, 0, 1, 1, 2, 2]


def test_cuts_work_on_any_scale() -> None:
    assert Cuts((0, 3), (0.5,)).grades([0.4, 0.5]).tolist() == [0, 3]


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
