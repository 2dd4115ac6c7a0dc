"""A resample weighs items by whole numbers, so it must equal the same items repeated (`classification`)."""

import numpy as np
import pytest

from evaluation.core.statistics.raw_scores.classification import (
    average_precision,
    recall_at_false_rate,
    roc_area,
    thresholds,
)
from evaluation.core.statistics.raw_scores.curves import areas, areas_over_topics, score_curve
from tests.references.areas import areas_without_each

TOPICS = 4
RATES = (0.01, 0.25)


@pytest.mark.parametrize("seed", range(8))
def test_areas_of_resamples_are_those_of_repeated_items(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 30))
    topics, scores, relevant = rng.integers(0, TOPICS, n), rng.integers(0, 8, n) / 7, rng.random(n) < 0.4
    counts = rng.integers(0, 3, (5, TOPICS))
    found = areas(score_curve(relevant, scores, topics, TOPICS), counts, RATES)
    for row, count in enumerate(counts):
        repeated = np.repeat(np.arange(n), count[topics])
        curve = thresholds(relevant[repeated], scores[repeated])
        expected = [average_precision(curve), roc_area(curve)]
        expected += [recall_at_false_rate(curve, rate) for rate in RATES]
        got = [found.precision_recall[row], found.roc[row], *found.recalls[row]]
        values = [np.nan if each.value is None else each.value for each in expected]
        assert got == pytest.approx(values, nan_ok=True)


def test_areas_of_many_distinct_scores_are_near() -> None:
    rng = np.random.default_rng(1)
    relevant = rng.random(5_000) < 0.4
    scores = rng.random(5_000) + 0.3 * relevant
    found = areas(
        score_curve(relevant, scores, np.zeros(5_000, np.int64), 1), np.ones((1, 1), np.int64), RATES
    )
    curve = thresholds(relevant, scores)
    assert found.roc[0] == pytest.approx(roc_area(curve).value, abs=0.002)
    assert found.precision_recall[0] == pytest.approx(average_precision(curve).value, abs=0.004)


def test_areas_over_topics_equal_those_of_the_items_that_are_left() -> None:
    rng = np.random.default_rng(14)
    topics = np.sort(rng.integers(0, 7, 90)) * 3
    scores = rng.integers(0, 12, 90) / 10  # with many ties
    is_relevant = rng.random(90) < 0.2 + scores / 3
    precision, roc, recall = areas_over_topics(is_relevant, scores, topics, (0.05,))
    whole = areas_without_each(is_relevant.astype(np.float64), scores, topics)
    assert precision[1] == pytest.approx(whole.average_precision)
    assert roc[1] == pytest.approx(whole.roc_area)
    for place, topic in enumerate(np.unique(topics)):
        curve = thresholds(is_relevant[topics != topic], scores[topics != topic])
        assert recall[1][place] == pytest.approx(recall_at_false_rate(curve, 0.05).value)
    curve = thresholds(is_relevant, scores)
    assert [each[0] for each in (precision, roc)] == [average_precision(curve), roc_area(curve)]
