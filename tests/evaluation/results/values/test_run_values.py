import numpy as np

from evaluation.models import Run
from evaluation.results.values.run_values import TopicRow, ValueRow, _row, topic_rows

NAN = np.nan


def test_topics_have_the_median_and_the_best_of_all_runs() -> None:
    # Topic 1: median of 0.2, 0.5, 0.9 is 0.5, best 0.9. Topic 2: of 0.1 and 0.3 it is 0.2, best 0.3.
    rows = topic_rows(["1", "2"], np.array([[0.2, 0.1], [0.5, 0.3], [0.9, NAN]]), 0)
    assert rows == (TopicRow("1", 0.2, 0.5, 0.9), TopicRow("2", 0.1, 0.2, 0.3))


def test_values_are_unknown_where_the_run_or_every_run_has_none() -> None:
    rows = topic_rows(["1", "2"], np.array([[NAN, NAN], [0.5, NAN]]), 0)
    assert rows == (TopicRow("1", None, 0.5, 0.5), TopicRow("2", None, None, None))


def test_measures_have_rank_median_and_best_of_all_runs() -> None:
    # AP: 0.5 is second of 0.9, 0.5, 0.2; their median is 0.5. Judged@10 is no quality, so it has no rank.
    means = {1: {"AP": 0.5, "Judged@10": 1.0}, 2: {"AP": 0.9, "Judged@10": 0.4}, 3: {"AP": 0.2}}
    assert _row(Run(pk=1), means, "AP") == ValueRow("AP", 0.5, 2, 0.5, 0.9)
    assert _row(Run(pk=1), means, "Judged@10") == ValueRow("Judged@10", 1.0, None, 0.7, 1.0)
    assert _row(Run(pk=3), means, "Judged@10").mean is None
