import numpy as np

from tests.refusals import refused
from trackside.pooling.universe import Universe

HEADS = {
    "north": {"1": ["a", "b", "c"], "2": ["u"]},
    "south": {"1": ["b", "d", "a"]},
    "same": {"1": ["b", "d"], "2": []},
}


def test_universe_has_what_some_run_ranks_among_its_first() -> None:
    universe = Universe.of(HEADS, 2)
    assert universe.names == (("1", "a"), ("1", "b"), ("1", "d"), ("2", "u"))
    # Ranks of a, b, d, u in north, south and same.
    inf = np.inf
    assert universe.ranks.tolist() == [[1, inf, inf], [2, 1, 1], [inf, 2, 2], [1, inf, inf]]
    assert universe.is_first.tolist() == [True, True, False]


def test_ungraded_pairs_are_left_out_and_keep_their_rank_free() -> None:
    universe = Universe.of(HEADS, 2, {("1", "b"), ("2", "u"), ("3", "x")})
    assert universe.names == (("1", "b"), ("2", "u"))
    assert universe.places[0].tolist() == [[2, 0], [1, 2]]  # 2 stands for no pair


def test_new_runs_find_the_pairs_and_say_what_they_lack() -> None:
    new = {"late": {"1": ["d", "z"], "2": ["u"]}}
    universe = Universe.of(HEADS, 2).with_runs(new)
    assert universe.tags == ("north", "south", "same", "late")
    assert universe.ranks[:, 3].tolist() == [np.inf, np.inf, 1, 1]
    assert universe.missing(new["late"]) == 1 / 3
    assert universe.without({"south", "same"}).tags == ("north", "late")


def test_runs_and_grades_that_share_no_pair_are_refused() -> None:
    with refused("nothing-meets"):
        Universe.of(HEADS, 2, {("9", "a")})
