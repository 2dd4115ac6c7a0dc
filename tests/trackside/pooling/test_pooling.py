import numpy as np
import polars as pl
import pytest

from tests.refusals import refused
from trackside.pooling.depth import depth_pool, presentation_order, unique_relevant

RUNS = {
    "r1": {"1": ["a", "b", "c", "d"], "2": ["u", "v"]},
    "r2": {"1": ["b", "a", "e"], "2": ["w"]},
    "r3": {"1": ["f", "a"]},
}
TEAMS = {"r1": "North", "r2": "North", "r3": "South"}


def test_a_pool_is_the_union_of_each_runs_own_depth() -> None:
    # Topic 1: a b c, b, f a; topic 2: u v, w.
    pool = depth_pool(RUNS, {"r1": 3, "r2": 1, "r3": 2})
    assert pool.topics == {"1": ("a", "b", "c", "f"), "2": ("u", "v", "w")}
    assert (pool.size, pool.slot_count) == (7, 9)
    assert pool.overlap == pytest.approx(1 - 7 / 9)


def test_unique_documents_of_runs_and_of_teams() -> None:
    pool = depth_pool(RUNS, {"r1": 3, "r2": 3, "r3": 2})
    assert pool.unique_to_runs() == {
        "r1": {"1": ("c",), "2": ("u", "v")},
        "r2": {"1": ("e",), "2": ("w",)},
        "r3": {"1": ("f",)},
    }
    # Of North's documents the other team has a alone; b is unique to the team though two of its runs have it.
    assert pool.unique_to(TEAMS) == {
        "North": {"1": ("b", "c", "e"), "2": ("u", "v", "w")},
        "South": {"1": ("f",)},
    }


def test_depth_0_leaves_a_run_out() -> None:
    pool = depth_pool(RUNS, {"r1": 1, "r2": 0, "r3": 0})
    assert pool.topics == {"1": ("a",), "2": ("u",)}
    assert list(pool.contributions) == ["r1"]


def test_every_run_needs_a_depth() -> None:
    with refused("pool-depth-missing", match="0 or more for: r2, r3"):
        depth_pool(RUNS, {"r1": 3, "r3": -1})


def test_an_empty_pool_has_no_overlap() -> None:
    pool = depth_pool({}, {})
    assert (pool.size, pool.overlap) == (0, None)


def test_presentation_order_does_not_depend_on_the_order_or_number_of_runs() -> None:
    docnos = [f"d{place}" for place in range(50)]
    order = presentation_order(docnos, topic="7", seed=1)
    assert order == presentation_order(reversed(docnos), topic="7", seed=1)
    # Fewer documents keep their order: a document's place reveals nothing about the others.
    assert [docno for docno in order if docno in set(docnos[:20])] == presentation_order(
        docnos[:20], topic="7", seed=1
    )
    assert order != presentation_order(docnos, topic="8", seed=1)
    assert order != presentation_order(docnos, topic="7", seed=2)


def test_presentation_order_does_not_depend_on_rank() -> None:
    # Spearman's rho of 50 places with a random order has a standard error of 1/7; the mean over 200 seeds
    # lies within 3 standard errors of 0.
    docnos = [f"d{place:02}" for place in range(50)]
    places = np.arange(50)
    rhos = [
        np.corrcoef(places, [int(docno[1:]) for docno in presentation_order(docnos, topic="1", seed=seed)])[
            0, 1
        ]
        for seed in range(200)
    ]
    assert abs(np.mean(rhos)) < 3 / 7 / 200**0.5


def test_frame_has_its_columns_even_without_items() -> None:
    for pool in (depth_pool(RUNS, {"r1": 1, "r2": 0, "r3": 0}), depth_pool(RUNS, dict.fromkeys(RUNS, 0))):
        frame = pool.to_frame()
        assert dict(frame.schema) == {"topic": pl.String, "docno": pl.String}
        assert frame.height == pool.size


# d1 is everybody's, d2 of both runs of Kestrel, d3 of one run alone; d4 is not relevant.
TOPS = {"k1": {"T1": ["d1", "d2", "d4"]}, "k2": {"T1": ["d2", "d1"], "T2": ["d3"]}, "n1": {"T1": ["d1"]}}
TEAM_OF = {"k1": "Kestrel", "k2": "Kestrel", "n1": "Nordlys"}
RELEVANT = {"T1": {"d1", "d2", "d9"}, "T2": {"d3"}}


def test_uniques_are_relevant_and_of_one_run_or_of_one_team() -> None:
    found = unique_relevant(TOPS, TEAM_OF, RELEVANT)
    assert {tag: dict(each.by_run) for tag, each in found.items()} == {"k1": {}, "k2": {"T2": 1}, "n1": {}}
    assert {tag: dict(each.by_team) for tag, each in found.items()} == {
        "k1": {"T1": 1},
        "k2": {"T1": 1, "T2": 1},
        "n1": {},
    }


def test_several_uniques_of_a_topic_add_up() -> None:
    tops = {"k1": {"T1": ["d1", "d2"], "T3": ["d7"]}, "n1": {"T1": ["d3"]}}
    found = unique_relevant(tops, TEAM_OF, {"T1": {"d1", "d2", "d3"}})  # nothing is relevant in T3
    assert {tag: dict(each.by_run) for tag, each in found.items()} == {"k1": {"T1": 2}, "n1": {"T1": 1}}
    assert {tag: dict(each.by_team) for tag, each in found.items()} == {"k1": {"T1": 2}, "n1": {"T1": 1}}
