"""A weakness is named where it can be: by measure, share of the pairs graded, and judge."""

import numpy as np
import pytest

from trackside.arrays import Floats, Ints
from trackside.cli.files.loop.weak_spots import _tells_all

GRADES = np.array([0] * 60 + [1] * 20 + [2] * 10 + [-1] * 30)  # negative: not graded
ZEROS = np.array([0] * 99 + [1])


@pytest.mark.parametrize(
    ("scores", "grades", "is_so"),
    [
        (GRADES.astype(float), GRADES, True),
        (2.0 - GRADES, GRADES, True),  # always wrong in the same way
        (np.minimum(GRADES, 1).astype(float), GRADES, False),
        (np.random.default_rng(1).permutation(GRADES).astype(float), GRADES, False),
        (np.ones(len(GRADES)), GRADES, False),
        (np.arange(len(GRADES), dtype=float), GRADES, False),  # each score once: tells nothing of others
        (np.full(len(GRADES), np.nan), GRADES, False),
        (np.arange(100) % 2.0, ZEROS, False),  # 99 of 100 are told without it
        (ZEROS.astype(float), np.zeros(100, int), False),
    ],
)
def test_judge_that_tells_every_grade_is_noticed(scores: Floats, grades: Ints, is_so: bool) -> None:
    assert _tells_all(scores, grades) is is_so
