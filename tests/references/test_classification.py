from math import inf

import pytest

from tests.references.classification import average_precision, roc_area, trapezoid_area, youden_threshold
from trackside.judging.mappings.classification import thresholds
from trackside.statistics.estimate import Reason

# Thresholds 0.8, 0.4, 0.35, 0.1 predict right 1, 1, 2, 2 and wrong 0, 1, 1, 2.
CURVE = thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


def test_trapezoid_area_by_hand() -> None:
    # Two steps of recall 1/2: precision 1 to 1, then 1/2 to 2/3.
    assert trapezoid_area(CURVE).value == pytest.approx(1 / 2 + 7 / 24)


def test_youden_takes_the_highest_best_threshold() -> None:
    # Recall less false rate: 1/2, 0, 1/2, 0.
    assert youden_threshold(CURVE).value == 0.8
    assert youden_threshold(thresholds([1, 0], [0.1, 0.9])).value == inf


def test_values_need_the_classes_that_they_compare() -> None:
    no_relevant, no_other = thresholds([0, 0], [0.1, 0.2]), thresholds([1, 1], [0.1, 0.2])
    assert trapezoid_area(no_relevant).reason is Reason.NO_RELEVANT
    for curve in (no_relevant, no_other, thresholds([], [])):
        assert youden_threshold(curve).reason is Reason.ONE_GRADE


def test_areas_by_hand() -> None:
    # Recall rises by 1/2 at precision 1 and by 1/2 at precision 2/3.
    assert average_precision(CURVE).value == pytest.approx(1 / 2 + 1 / 3)
    # Three of the four pairs of one relevant and one other item are in order.
    assert roc_area(CURVE).value == pytest.approx(3 / 4)
