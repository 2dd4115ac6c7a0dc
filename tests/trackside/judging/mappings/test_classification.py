import pytest

from trackside.judging.mappings.classification import best_f1, thresholds
from trackside.statistics.estimate import Reason

# Thresholds 0.8, 0.4, 0.35, 0.1 predict right 1, 1, 2, 2 and wrong 0, 1, 1, 2.
CURVE = thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


def test_thresholds_count_right_and_wrong_from_the_highest_score() -> None:
    assert CURVE.scores.tolist() == [0.8, 0.4, 0.35, 0.1]
    assert (CURVE.right.tolist(), CURVE.wrong.tolist()) == ([1, 1, 2, 2], [0, 1, 1, 2])


def test_tied_scores_are_one_threshold() -> None:
    tied = thresholds([1, 0, 1], [0.5, 0.5, 0.2])
    assert (tied.scores.tolist(), tied.right.tolist(), tied.wrong.tolist()) == ([0.5, 0.2], [1, 2], [1, 1])


def test_best_f1_by_hand() -> None:
    # F1 is 2/3, 1/2, 4/5, 2/3.
    best = best_f1(CURVE)
    assert best.f1.value == pytest.approx(0.8)
    assert best.thresholds == (0.35,)
    assert best.precision.value == pytest.approx(2 / 3)
    assert best.recall.value == 1.0


def test_best_f1_lists_every_threshold_that_reaches_it() -> None:
    # Right 1, 1, 1, 2 and wrong 0, 1, 2, 2 of 2 relevant: F1 2/3, 1/2, 2/5, 2/3.
    best = best_f1(thresholds([1, 0, 0, 1], [4, 3, 2, 1]))
    assert best.thresholds == (1.0, 4.0)
    assert best.precision.value == pytest.approx(1 / 2)


def test_best_f1_needs_a_relevant_item() -> None:
    assert best_f1(thresholds([0, 0], [0.1, 0.2])).f1.reason is Reason.NO_RELEVANT
