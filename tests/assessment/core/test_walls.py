from itertools import pairwise

import pytest

from assessment.core.arranging import CONTROL_EVERY, WALL_SIZE, is_control, lay_walls


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (24, [24]), (25, [24, 1]), (60, [24, 24, 12])]
)
def test_walls_keep_the_order_and_hold_24_items(count: int, sizes: list[int]) -> None:
    places = list(range(3, 3 + count))
    walls = lay_walls(places)
    assert [len(wall) for wall in walls] == sizes
    assert [place for wall in walls for place in wall] == places
    assert WALL_SIZE == 24


def test_one_wall_in_ten_is_a_control_wherever_one_begins() -> None:
    for seed in map(str, range(50)):
        chosen = [number for number in range(1, 101) if is_control(number, seed=seed)]
        assert len(chosen) == 10
        assert {later - number for number, later in pairwise(chosen)} == {CONTROL_EVERY}


def test_first_wall_of_a_topic_is_as_likely_a_control_as_any_other() -> None:
    # Binomial: 1,000 draws of 1 in 10 lie within 100 +- 4 * 9.49.
    counts = [sum(is_control(number, seed=f"s{seed}") for seed in range(1_000)) for number in (1, 2, 10)]
    assert all(62 <= count <= 138 for count in counts)
