from __future__ import annotations

import numpy as np
import pytest

from judges.core.cosines import pair_cosines

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
