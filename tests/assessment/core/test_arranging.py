from collections import Counter

import numpy as np
import pytest

from assessment.core.arranging import (
    LEAST_GAP,
    WALL_SIZE,
    draw_overlap,
    is_single,
    lay_walls,
    mix_in,
    share_topics,
    single_every,
)

DOCNOS = [f"D{number}" for number in range(100)]
GOLD = [f"G{number}" for number in range(20)]


def mix(
    docnos: list[str], gold: list[str], gold_percent: int, repeat_percent: int, seed: str = "1"
) -> list[tuple[str, str]]:
    return [*mix_in(docnos, gold, gold_percent=gold_percent, repeat_percent=repeat_percent, seed=seed)]


def test_nothing_mixed_in_leaves_the_order() -> None:
    assert mix(DOCNOS, GOLD, 0, 0) == [(docno, "work") for docno in DOCNOS]


def test_items_keep_their_order_among_what_is_mixed_in() -> None:
    shown = mix(DOCNOS, GOLD, 10, 20)
    assert [docno for docno, purpose in shown if purpose == "work"] == DOCNOS


@pytest.mark.parametrize(
    ("gold_percent", "repeat_percent", "counts"),
    # 7 % of 100 is 7; 30 % gold would be 30, and there are 20.
    [(7, 0, {"gold": 7}), (30, 5, {"gold": 20, "repeat": 5}), (0, 30, {"repeat": 30})],
)
def test_rates_are_met_as_far_as_items_allow(
    gold_percent: int, repeat_percent: int, counts: dict[str, int]
) -> None:
    shown = mix(DOCNOS, GOLD, gold_percent, repeat_percent)
    assert Counter(purpose for _, purpose in shown) == {"work": 100} | counts
    assert max(Counter(shown).values()) == 1


@pytest.mark.parametrize("seed", list("abcdefgh"))
@pytest.mark.parametrize(("count", "gap"), [(100, LEAST_GAP), (12, 6), (2, 1)])
def test_repeat_comes_well_after_the_first_showing(count: int, gap: int, seed: str) -> None:
    shown = mix(DOCNOS[:count], GOLD, 20, 30, seed)
    repeats = [docno for docno, purpose in shown if purpose == "repeat"]
    assert repeats
    for docno in repeats:
        assert shown.index((docno, "repeat")) - shown.index((docno, "work")) > gap


def test_single_item_is_not_repeated() -> None:
    assert mix(["D1"], [], 30, 30) == [("D1", "work")]


def test_former_items_are_repeated_too() -> None:
    shown = mix_in(
        ["N1", "N2"], [], gold_percent=0, repeat_percent=100, seed="1", former=["F1", "F2", "F3", "F4"]
    )
    # Gap 3 of six items: the first three may be repeated, and those are former ones.
    repeats = [docno for docno, purpose in shown if purpose == "repeat"]
    assert len(repeats) == 2
    assert set(repeats) < {"F1", "F2", "F3"}


def test_equal_seeds_mix_equally_and_others_do_not() -> None:
    assert mix(DOCNOS, GOLD, 10, 10, "x") == mix(DOCNOS, GOLD[::-1], 10, 10, "x")
    assert mix(DOCNOS, GOLD, 10, 10, "x") != mix(DOCNOS, GOLD, 10, 10, "y")


def test_share_topics_counts_what_is_held_already() -> None:
    assert share_topics({"a": 5, "b": 4}, {1: 100, 2: 0}, seed=1) == {"a": 2, "b": 2}


def test_share_topics_keeps_bound_topics_and_counts_them_first() -> None:
    # "a" is bound to 1, so the larger "b" and "c" start from loads of 3 and 0.
    shares = share_topics({"a": 3, "b": 5, "c": 4}, {1: 0, 2: 0}, seed=1, bound={"a": 1})
    assert shares == {"a": 1, "b": 2, "c": 1}


def test_share_topics_never_gives_a_topic_to_a_barred_assessor() -> None:
    barred = {"a": {1}, "b": {1, 3}}
    assert share_topics({"a": 3, "b": 3}, {1: 0, 2: 9, 3: 20}, seed=1, barred=barred) == {"a": 2, "b": 2}


def test_share_topics_follows_the_seed() -> None:
    sizes = {f"t{number}": 10 for number in range(12)}
    loads = dict.fromkeys(range(4), 0)
    shares = [share_topics(sizes, loads, seed=seed) for seed in range(10)]
    assert shares[3] == share_topics(dict(reversed(sizes.items())), dict(reversed(loads.items())), seed=3)
    assert any(share != shares[0] for share in shares)
    # Twelve equal topics for four people: three each, whatever the seed.
    assert all(sorted(share.values()) == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3] for share in shares)


@pytest.mark.parametrize(
    ("percent", "count"),
    # 10 % of 30 is 3 exactly; floats would make it 4. 1 % of 30 is 0.3, rounded up.
    [(0, 0), (1, 1), (10, 3), (25, 8), (100, 30)],
)
def test_draw_overlap_rounds_up(percent: int, count: int) -> None:
    topics = [f"t{number}" for number in range(30)]
    drawn = draw_overlap(topics, percent, seed=7)
    assert len(set(drawn)) == count
    assert drawn == draw_overlap(set(topics), percent, seed=7)


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (24, [24]), (25, [24, 1]), (60, [24, 24, 12])]
)
def test_walls_keep_the_order_and_hold_24_items(count: int, sizes: list[int]) -> None:
    places = list(range(3, 3 + count))
    walls = lay_walls(places)
    assert [len(wall) for wall in walls] == sizes
    assert [place for wall in walls for place in wall] == places
    assert WALL_SIZE == 24


def test_one_of_ten_neighbours_is_single_and_each_place_as_often() -> None:
    counts = np.zeros(40)
    for seed in range(2_000):
        drawn = np.array([is_single(place, every=10, seed=f"s{seed}") for place in range(1, 41)])
        assert drawn.reshape(4, 10).sum(axis=1).tolist() == [1, 1, 1, 1]
        counts += drawn
    # Binomial: 2,000 draws of 1 in 10 lie within 200 +- 5 * 13.4.
    assert ((counts >= 133) & (counts <= 267)).all()


@pytest.mark.parametrize(
    ("top", "graded", "share", "every"),
    [
        (0, 0, 0.0, 10),  # nothing is known
        (0, 48, 0.25, 10),  # fewer of the highest grades than on other walls: not less often than one in ten
        (12, 48, 0.25, 10),
        (24, 48, 0.25, 6),  # (24 + 6) / 72 = 0.417 is 1.67 times 0.25
        (48, 48, 0.25, 5),  # at most twice as often
        (3, 3, 0.25, 8),  # few items say little: (3 + 6) / 27 = 0.333 is 1.33 times 0.25
    ],
)
def test_topics_with_more_of_the_highest_grades_have_up_to_twice_as_many_singles(
    top: int, graded: int, share: float, every: int
) -> None:
    assert single_every(top, graded, share=share) == every
