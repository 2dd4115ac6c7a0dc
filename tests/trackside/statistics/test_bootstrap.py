import numpy as np

from trackside.statistics.bootstrap import draw_counts, sampled_means


def test_counts_are_the_draws_of_each_topic() -> None:
    counts = draw_counts(7, seed=1, replicates=100)
    assert counts.shape == (100, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert np.array_equal(counts, draw_counts.__wrapped__(7, seed=1, replicates=100)), "drawn again"
    assert not np.array_equal(counts, draw_counts(7, seed=2, replicates=100))


def test_sampled_means_are_over_the_drawn_topics() -> None:
    counts = np.array([[2, 0, 1]])
    values = np.array([[1.0, 5.0, 4.0]])
    assert sampled_means(values, counts).tolist() == [[2.0]]
