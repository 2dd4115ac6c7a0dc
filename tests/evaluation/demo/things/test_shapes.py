"""Shapes and the points they go through."""

import pytest

from evaluation.demo.things.shapes import arc, box, dome, turned


def test_box_goes_round_its_corners() -> None:
    assert box("main", 0, 1, 2, 3).points == ((0, 1), (2, 1), (2, 3), (0, 3))


def test_arc_starts_at_the_right_and_goes_down_first() -> None:
    points = arc(-1, -1, 1, 1, start=0, end=90)
    assert points[0] == pytest.approx((1, 0))
    assert points[-1] == pytest.approx((0, 1))


def test_dome_is_the_upper_half() -> None:
    assert max(y for _, y in dome("main", -1, -1, 1, 1).points) == pytest.approx(0)
    assert min(y for _, y in dome("main", -1, -1, 1, 1).points) == pytest.approx(-1)


def test_turned_gives_the_point_at_an_angle_from_the_centre() -> None:
    assert turned(2, 90, (1, 1)) == pytest.approx((1, 3))
