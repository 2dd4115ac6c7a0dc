import pytest

from evaluation.core.statistics.estimate import Reason
from evaluation.core.statistics.raw_scores.classification import (
    average_precision,
    best_f1,
    recall_at_false_rate,
    roc_area,
    thresholds,
)

# Thresholds 0.8, 0.4, 0.35, 0.1 predict right 1, 1, 2, 2 and wrong 0, 1, 1, 2.
CURVE = thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


def test_thresholds_count_right_and_wrong_from_the_highest_score() -> None:
    assert CURVE.scores.tolist() == [0.8, 0.4, 0.35, 0.1]
    assert (CURVE.right.tolist(), CURVE.wrong.tolist()) == ([1, 1, 2, 2], [0, 1, 1, 2])


def test_tied_scores_are_one_threshold() -> None:
    tied = thresholds([1, 0, 1], [0.5, 0.5, 0.2])
    assert (tied.scores.tolist(), tied.right.tolist(), tied.wrong.tolist()) == ([0.5, 0.2], [1, 2], [1, 1])


def test_areas_by_hand() -> None:
    # Recall rises by 1/2 at precision 1 and by 1/2 at precision 2/3.
    assert average_precision(CURVE).value == pytest.approx(1 / 2 + 1 / 3)
    # Three of the four pairs of one relevant and one other item are in order.
    assert roc_area(CURVE).value == pytest.approx(3 / 4)


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


def test_recall_at_a_false_rate() -> None:
    assert recall_at_false_rate(CURVE, 0.0).value == 0.5
    assert recall_at_false_rate(CURVE, 0.5).value == 1.0
    assert recall_at_false_rate(thresholds([0, 1], [0.9, 0.1]), 0.0).value == 0.0


def test_values_need_the_classes_that_they_compare() -> None:
    no_relevant, no_other = thresholds([0, 0], [0.1, 0.2]), thresholds([1, 1], [0.1, 0.2])
    assert average_precision(no_relevant).reason is best_f1(no_relevant).f1.reason is Reason.NO_RELEVANT
    assert average_precision(no_other).value == 1.0
    for curve in (no_relevant, no_other, thresholds([], [])):
        assert roc_area(curve).reason is Reason.ONE_CLASS
        assert recall_at_false_rate(curve, 0.1).reason is Reason.ONE_CLASS
