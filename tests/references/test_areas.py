import numpy as np
import pytest

from evaluation.core.statistics.raw_scores.classification import average_precision, roc_area, thresholds
from tests.references import areas
from tests.references.areas import areas_without_each


@pytest.mark.parametrize("block", [1, 100, 10_000])
def test_areas_without_each_topic_equal_those_of_the_items_that_are_left(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(areas, "BLOCK", block)
    rng = np.random.default_rng(14)
    topics = np.sort(rng.integers(0, 7, 90)) * 3
    scores = rng.integers(0, 12, 90) / 10  # with many ties
    truth = (rng.random(90) < 0.2 + scores / 3).astype(np.float64)
    found = areas_without_each(truth, scores, topics)
    for place, topic in enumerate(np.unique(topics)):
        curve = thresholds(truth[topics != topic], scores[topics != topic])
        assert found.average_precision[place] == pytest.approx(average_precision(curve).value)
        assert found.roc_area[place] == pytest.approx(roc_area(curve).value)


def test_areas_are_undefined_where_one_class_is_left() -> None:
    # Without the first topic nothing is relevant; without the second everything is.
    found = areas_without_each(np.array([1.0, 1.0, 0.0]), np.array([0.3, 0.1, 0.2]), np.array([0, 0, 1]))
    assert np.isnan(found.average_precision).tolist() == [True, False]
    assert np.isnan(found.roc_area).tolist() == [True, True]
    assert found.average_precision[1] == 1.0


def test_no_items_have_no_areas() -> None:
    found = areas_without_each(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    assert found.average_precision.size == found.roc_area.size == 0
