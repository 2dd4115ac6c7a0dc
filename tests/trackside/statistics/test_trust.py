"""The scores of windows: expected values by hand, and made people of whom the kind is known."""

import numpy as np
import pytest

from trackside.statistics.suspects import Work, bound_of, find_suspects, gold_to_know
from trackside.statistics.trust import honest_confusion, suspicion_of

PRIOR = np.array([0.6, 0.25, 0.15])
ITEMS = np.arange(200)
TRUTH = np.random.default_rng(1).choice(3, 200, p=PRIOR)
EASY = np.full(200, 5.0)


def test_honest_confusion_slips_to_neighbours_and_shifts_up() -> None:
    plain = honest_confusion(0.2, 0.0, share=0.4, size=3)
    assert plain.tolist() == [[0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.2, 0.8]]
    # A fifth of each grade moves up by one: 0.8 * 0.8, then 0.8 * 0.2 + 0.2 * 0.8, then 0.2 * 0.2
    lenient = honest_confusion(0.2, 0.2, share=0.4, size=3)
    assert lenient[0] == pytest.approx([0.64, 0.32, 0.04])
    assert lenient[2] == pytest.approx([0, 0.16, 0.84])
    rare = honest_confusion(0.2, 0.0, share=0.04, size=3)  # a tenth of the usual share: a tenth of the slips
    assert rare[0] == pytest.approx([0.98, 0.02, 0])


def test_without_gold_and_others_nothing_is_said() -> None:
    truth, nothing = np.eye(3)[TRUTH], np.zeros(200, dtype=bool)
    assert suspicion_of(TRUTH, truth, nothing, EASY, PRIOR) is None
    found = find_suspects({1: Work(ITEMS, TRUTH, EASY)}, {}, 3)
    assert (found.suspects, found.is_told) == ([], {1: False})


def test_person_who_stops_looking_is_named_from_the_window_on() -> None:
    keys = np.random.default_rng(2).integers(3, size=200)
    grades = np.where(ITEMS < 100, TRUTH, keys)
    gold = dict(enumerate(TRUTH.tolist()))
    [suspect] = find_suspects({1: Work(ITEMS, grades, EASY), 2: Work(ITEMS, TRUTH, EASY)}, gold, 3).suspects
    assert (suspect.people, suspect.first) == ((1,), 100)
    assert suspect.kind.startswith("does not look")


@pytest.mark.parametrize(
    ("grades", "kind"),
    [
        (np.minimum(TRUTH + 1, 2), "grades higher than others"),
        (np.maximum(TRUTH - 1, 0), "grades lower than others"),
        (2 - TRUTH, "turns the scale round"),
    ],
)
def test_kind_of_bad_work_is_named(grades: np.ndarray, kind: str) -> None:
    gold = dict(enumerate(TRUTH.tolist()))
    [suspect] = find_suspects({1: Work(ITEMS, grades, EASY)}, gold, 3).suspects
    assert (suspect.kind, suspect.first) == (kind, 0)


def test_one_bad_person_does_not_make_the_partners_suspect() -> None:
    dice = np.random.default_rng(3)
    works = {1: Work(ITEMS, dice.integers(3, size=200), EASY)}
    works |= {person: Work(ITEMS, np.where(dice.random(200) < 0.1, 1, TRUTH), EASY) for person in (2, 3, 4)}
    assert [suspect.people for suspect in find_suspects(works, {}, 3).suspects] == [(1,)]


def test_of_two_who_only_share_items_with_each_other_both_are_named() -> None:
    keys = np.random.default_rng(2).integers(3, size=200)
    works = {1: Work(ITEMS, TRUTH, EASY), 2: Work(ITEMS, keys, EASY)}
    [suspect] = find_suspects(works, {}, 3).suspects
    assert set(suspect.people) == {1, 2}


def keyed(count: int) -> np.ndarray:
    """True grades, but random ones on all 20 items of one partner and on ``count`` of each of two others."""
    keys = np.random.default_rng(4).integers(3, size=200)
    return np.where(np.isin(ITEMS, [*range(20 + count), *range(40, 40 + count)]), keys, TRUTH)


@pytest.mark.parametrize(
    ("own", "partner", "sizes", "named"),
    [
        (keyed(8), TRUTH, (20, 20, 20), [(1,)]),  # the other partners say it, too
        (TRUTH, 2 - TRUTH, (20, 20, 20), [(2,)]),  # they say the reverse
        (TRUTH, 2 - TRUTH, (20, 3, 0), [(2, 1)]),  # they say too little
    ],
)
def test_others_tell_which_of_two_is_meant_if_one_has_only_the_other(
    own: np.ndarray, partner: np.ndarray, sizes: tuple[int, ...], named: list[tuple[int, ...]]
) -> None:
    works = {1: Work(ITEMS, own, EASY)}
    for person, end in zip((2, 3, 4), np.cumsum(sizes), strict=True):
        items = ITEMS[end - sizes[person - 2] : end]
        works[person] = Work(items, (partner if person == 2 else TRUTH)[items], EASY[items])
    assert [suspect.people for suspect in find_suspects(works, {}, 3).suspects] == named


def test_speed_alone_names_nobody() -> None:
    slips = np.where(np.arange(200) % 10 == 0, 1, TRUTH)
    works = {1: Work(ITEMS, slips, np.full(200, 0.2)), 2: Work(ITEMS, TRUTH, EASY)}
    assert not find_suspects(works, {}, 3).suspects


def test_own_repeats_tell_of_a_person_who_is_alone() -> None:
    again = np.concatenate([ITEMS, ITEMS])
    keys = np.random.default_rng(2).integers(3, size=400)
    seconds = np.full(400, 5.0)
    [suspect] = find_suspects({1: Work(again, keys, seconds)}, {}, 3).suspects
    assert suspect.people == (1,)
    same = np.concatenate([TRUTH, TRUTH])
    assert not find_suspects({1: Work(again, same, seconds)}, {}, 3).suspects


def test_few_gold_items_of_the_highest_grade_tell_more_than_others() -> None:
    rare = np.array([0.98, 0.013, 0.007])
    assert bound_of(1) == pytest.approx(np.log(20))  # at most 5 % of honest people
    assert bound_of(10) == pytest.approx(np.log(100))  # and at most 10 % of tasks with ten
    assert 1 <= gold_to_know(rare, 10) <= 5
