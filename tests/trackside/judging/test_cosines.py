import tracemalloc

import numpy as np
import pytest

from trackside.judging.cosines import pair_cosines

# Unit vectors whose cosines can be read off: 3-4-5 triangles.
VECTORS = {
    "east": np.array([1, 0], np.float32),
    "north": np.array([0, 1], np.float32),
    "steep": np.array([0.6, 0.8], np.float32),
    "west": np.array([-1, 0], np.float32),
}


def test_pair_cosines_keeps_the_order_of_the_pairs() -> None:
    pairs = [("north", "steep"), ("east", "west"), ("north", "west"), ("east", "steep")]

    assert pair_cosines(VECTORS, pairs).tolist() == pytest.approx([0.8, -1, 0, 0.6])


def test_pair_cosines_takes_the_same_name_on_both_sides() -> None:
    assert pair_cosines(VECTORS, [("steep", "steep")]).tolist() == pytest.approx([1])


def test_pair_cosines_of_nothing_is_empty() -> None:
    assert pair_cosines({}, []).shape == (0,)


PIECES = {
    "both": np.array([[1, 0], [0, 1]], np.float32),  # east and north
    "steep": np.array([[0.6, 0.8]], np.float32),
    "east": np.array([1, 0], np.float32),
}


def test_pair_cosines_of_pieces_by_their_mean() -> None:
    # The mean of east and north is north-east, (1, 1) / sqrt 2: 1.4 / sqrt 2 to 3-4-5, 1 / sqrt 2 to east.
    for policy in ("chunk-mean", "by-fields"):
        found = pair_cosines(PIECES, [("both", "steep"), ("both", "east"), ("steep", "east")], policy)
        assert found.tolist() == pytest.approx([1.4 / 2**0.5, 1 / 2**0.5, 0.6])


def test_pair_cosines_of_pieces_by_the_nearest() -> None:
    pairs = [("both", "steep"), ("both", "east"), ("steep", "both"), ("both", "both"), ("east", "steep")]

    assert pair_cosines(PIECES, pairs, "chunk-max").tolist() == pytest.approx([0.8, 1, 0.8, 1, 0.6])


def test_pair_cosine_does_not_depend_on_the_other_pairs() -> None:
    dice = np.random.default_rng(1)
    drawn = dice.normal(size=(60, 512)).astype(np.float32)
    vectors = {str(place): each / np.linalg.norm(each) for place, each in enumerate(drawn)}
    pairs = [(str(topic), str(document)) for topic in range(7) for document in range(7 + topic, 60)]

    together = pair_cosines(vectors, pairs)

    assert together.tolist() == [pair_cosines(vectors, [pair])[0] for pair in pairs]
    exact = [np.dot(vectors[one].astype(float), vectors[other].astype(float)) for one, other in pairs]
    assert together.tolist() == np.array(exact, np.float32).tolist()


def test_pair_cosines_multiply_a_topic_with_its_own_documents_only() -> None:
    # 20,000 topics with a document each: all by all would be 3.2 GB.
    vectors = {str(place): np.array([1, 0], np.float32) for place in range(40_000)}
    pairs = [(str(place), str(place + 20_000)) for place in range(20_000)]

    tracemalloc.start()
    found = pair_cosines(vectors, pairs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found.tolist() == [1] * 20_000
    assert peak < 30e6
