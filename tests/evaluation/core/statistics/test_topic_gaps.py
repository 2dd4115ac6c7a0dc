import numpy as np

from evaluation.core.statistics.topic_gaps import topic_gaps

NAN = np.nan


def test_gaps_are_to_the_median_and_the_best_of_all_runs() -> None:
    # Topic 1: median of 0.2, 0.5, 0.9 is 0.5, best 0.9. Topic 2: of 0.1 and 0.3 it is 0.2, best 0.3.
    gaps = topic_gaps(np.array([[0.2, 0.1], [0.5, 0.3], [0.9, NAN]]), 0)
    assert np.allclose(gaps.from_median, [-0.3, -0.1])
    assert np.allclose(gaps.from_best, [-0.7, -0.2])


def test_gaps_are_unknown_where_the_run_or_every_run_has_no_value() -> None:
    gaps = topic_gaps(np.array([[NAN, NAN], [0.5, NAN]]), 0)
    assert np.isnan(gaps.from_median).all()
    assert gaps.median[0] == 0.5
    assert np.isnan(gaps.best[1])
