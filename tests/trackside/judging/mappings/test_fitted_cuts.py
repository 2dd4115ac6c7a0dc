from math import inf

import numpy as np
import pytest

from trackside.judging.mappings.fitted_cuts import best_f1_thresholds, fit_f1_cuts
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


def test_cuts_need_a_pair() -> None:
    with pytest.raises(NothingToMap):
        fit_f1_cuts([], [], SCALE)


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
