import numpy as np
import pytest

from tests.refusals import refused
from trackside.pooling.recipes import Stratum, stratified_pool

RUNS = {
    "r1": [f"d{place:02}" for place in range(30)],
    "r2": ["d29", *(f"e{place:02}" for place in range(29))],
}
STRATA = [Stratum(5, 1.0), Stratum(20, 0.25)]


def test_a_document_belongs_to_the_stratum_of_its_best_rank() -> None:
    items = {item.docno: item for item in stratified_pool(RUNS, STRATA, topic="1", seed=1)}
    # d29 is first in r2; ranks 1 to 5 are d00-d04, d29, e00-e03; ranks 6 to 20 are d05-d19 and e04-e18.
    assert items["d29"].stratum == 1
    assert sum(item.stratum == 1 for item in items.values()) == 10
    assert sum(item.stratum == 2 for item in items.values()) == 30
    assert "d25" not in items


def test_each_stratum_is_drawn_at_its_rate_rounded_up() -> None:
    items = stratified_pool(RUNS, STRATA, topic="1", seed=1)
    second = [item for item in items if item.stratum == 2]
    assert all(item.is_drawn and item.chance == 1.0 for item in items if item.stratum == 1)
    # A quarter of 30 is 7.5.
    assert sum(item.is_drawn for item in second) == 8
    assert {item.chance for item in second} == {8 / 30}


def test_the_draw_depends_on_seed_and_topic_and_is_even() -> None:
    backwards = dict(reversed(RUNS.items()))
    assert stratified_pool(RUNS, STRATA, topic="1", seed=1) == stratified_pool(
        backwards, STRATA, topic="1", seed=1
    )
    draws = np.array(
        [[i.is_drawn for i in stratified_pool(RUNS, STRATA, topic="t", seed=seed)] for seed in range(600)]
    )
    # 600 draws at 8/30: standard error 0.018 for each of the 30 documents of the second stratum.
    assert np.abs(draws[:, 10:].mean(axis=0) - 8 / 30).max() < 4 * 0.018


@pytest.mark.parametrize(
    "strata", [[], [Stratum(5, 1.0), Stratum(5, 0.5)], [Stratum(5, 0.0)], [Stratum(5, 1.5)]]
)
def test_strata_must_rise_and_have_a_rate(strata: list[Stratum]) -> None:
    with refused("strata-do-not-rise", match="from the top down"):
        stratified_pool(RUNS, strata, topic="1", seed=1)


def test_a_stratum_without_documents_is_empty() -> None:
    items = stratified_pool({"r1": ["a", "b"]}, [Stratum(2, 1.0), Stratum(9, 0.5)], topic="1", seed=1)
    assert [(item.docno, item.stratum, item.chance) for item in items] == [("a", 1, 1.0), ("b", 1, 1.0)]


def test_strata_meet_without_a_gap_or_an_overlap() -> None:
    strata = [Stratum(1, 1.0), Stratum(2, 1.0), Stratum(4, 1.0)]
    items = stratified_pool({"r1": list("abcde")}, strata, topic="1", seed=1)
    assert {item.docno: item.stratum for item in items} == {"a": 1, "b": 2, "c": 3, "d": 3}
