"""What walls cost: Fieller's ends over walls, and what is said of them."""

from math import log, sqrt

import numpy as np
import pytest

from assessment.core.wall_losses import ON_WALL, SINGLY, WallGrades, width
from trackside.arrays import Floats

SCALE = (0, 1, 2)
NONE = np.zeros((0, 2, 3, 3))


def made(*, top_on_wall: float, top_singly: float, walls: int = 60, matrices: Floats = NONE) -> WallGrades:
    """The same grades on each wall: ten items a surface by weight, some of them of grade 2."""
    one = np.array([[10 - top_on_wall, 0, top_on_wall], [10 - top_singly, 0, top_singly]])
    compared = 60 if len(matrices) else 0
    return WallGrades(np.repeat(one[None], walls, axis=0), matrices, walls, compared, SCALE)


def drawn(walls: int = 80) -> WallGrades:
    """Walls of different grades, with others' grades that often equal them."""
    dice = np.random.default_rng(3)
    matrices = dice.poisson(np.full((3, 3), 0.3) + 2 * np.eye(3), size=(walls, 2, 3, 3)).astype(float)
    return WallGrades(matrices.sum(axis=3), matrices, 200, 200, SCALE)


def agreeing(share: float) -> Floats:
    """Matrices of 60 walls whose grades equal others' in this share, else any grade."""
    matrix = share * np.eye(3) * 3 + (1 - share) * np.ones((3, 3))
    return np.tile(matrix, (60, 2, 1, 1))


def test_width_is_that_of_the_normal_mixture() -> None:
    # After 50 singles 8 * 50 / 200 = 2 steps: sqrt(2 * (1 + 1 / 2) * log(1 + sqrt(3) / 0.05)).
    assert width(50) == pytest.approx(sqrt(3 * log(1 + sqrt(3) / 0.05)))
    assert 3.0 < width(200) < width(1_000) < 3.3


def test_loss_is_the_share_of_the_highest_grades_that_walls_lack() -> None:
    grades = made(top_on_wall=2, top_singly=3)
    assert grades.share_of_each == pytest.approx(np.array([[0.8, 0, 0.2], [0.7, 0, 0.3]]))
    assert grades.top
    assert (grades.top.on_wall, grades.top.singly) == pytest.approx((0.2, 0.3))
    # All walls are equal, so there is no doubt.
    assert (grades.top.value, grades.top.low, grades.top.high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert grades.kappa is None


@pytest.mark.parametrize("name", ["top", "kappa"])
def test_at_an_end_the_difference_is_as_many_errors_wide(name: str) -> None:
    """Fieller: at the end, wall - (1 - loss) * singly is `width` jackknife errors of its own from 0."""
    grades = drawn()
    loss = getattr(grades, name)
    left_out = [
        getattr(
            WallGrades(
                np.delete(grades.shares, wall, 0), np.delete(grades.matrices, wall, 0), 200, 200, SCALE
            ),
            name,
        )
        for wall in range(80)
    ]
    for end in (loss.low, loss.high):
        values = np.array([each.on_wall - (1 - end) * each.singly for each in left_out])
        error = sqrt(79 / 80 * ((values - values.mean()) ** 2).sum())
        assert abs(loss.on_wall - (1 - end) * loss.singly) == pytest.approx(width(200) * error)
    assert loss.low < loss.value < loss.high


def test_no_end_below_50_singles_or_without_a_grade_singly() -> None:
    few = made(top_on_wall=2, top_singly=3, walls=49)
    assert few.top
    assert few.top.value == pytest.approx(1 / 3)
    assert (few.top.low, few.top.high) == (None, None)
    none = made(top_on_wall=1, top_singly=0)
    assert none.top
    assert (none.top.value, none.top.low) == (None, None)


def test_weights_make_up_for_the_chances() -> None:
    """20 items, 4 of them of grade 2, whether one in ten or one in five was drawn: the shares stay."""
    shares = np.zeros((2, 2, 3))
    for wall, every in enumerate((10, 5)):
        shares[wall, SINGLY] = np.array([16, 0, 4]) / every * every
        shares[wall, ON_WALL] = np.array([16, 0, 4]) * (1 - 1 / every) * every / (every - 1)
    grades = WallGrades(shares, NONE, 6, 0, SCALE)
    assert grades.share_of_each[:, 2] == pytest.approx([0.2, 0.2])


@pytest.mark.parametrize(
    ("top_on_wall", "matrices", "finding"),
    [
        (2.0, NONE, "loses"),
        (2.9, NONE, "same-shares"),
        (4.0, NONE, "same-shares"),
        (2.9, agreeing(0.6), "holds"),
        (2.9, agreeing(0.0), "same-shares"),  # no better than chance on both surfaces
        (2.0, agreeing(0.6), "loses"),
        (2.9, np.concatenate([agreeing(0.3)[:, :1], agreeing(0.6)[:, :1]], axis=1), "loses"),
        (2.9, np.concatenate([agreeing(0.0)[:, :1], agreeing(0.6)[:, :1]], axis=1), "loses"),
    ],
)
def test_finding_with_a_margin_of_five_per_cent(top_on_wall: float, matrices: Floats, finding: str) -> None:
    grades = made(top_on_wall=top_on_wall, top_singly=3, matrices=matrices)
    assert grades.finding(0.05) == finding


def test_nothing_can_be_said_of_few_singles() -> None:
    assert made(top_on_wall=0, top_singly=3, walls=49).finding(0.05) == "open"
    assert WallGrades(np.zeros((0, 2, 3)), NONE, 0, 0, SCALE).finding(0.05) == "open"
