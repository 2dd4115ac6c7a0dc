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
