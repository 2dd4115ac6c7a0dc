from collections import Counter

import pytest

from assessment.core.arranging import LEAST_GAP, mix_in

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
