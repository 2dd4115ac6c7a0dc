from typing import Literal

import numpy as np
import pytest

from tests.refusals import refused
from trackside.pooling.recipes import (
    AdaptiveRecipe,
    BudgetRecipe,
    DepthRecipe,
    Recipe,
    SampleRecipe,
    Stratum,
    borda_mnz_order,
    budget_pool,
    max_mean,
    move_to_front,
    rank_biased_order,
    reciprocal_rank_order,
    stratified_pool,
)

RANKINGS = {"a": ["D1", "D2", "D3", "D4"], "b": ["D3", "D5", "D1", "D6"]}
STRATA = (Stratum(1, 1.0), Stratum(4, 0.5))


def drawn(recipe: Recipe, rankings: dict[str, list[str]] = RANKINGS, seed: int = 1) -> list[str]:
    return [item.docno for item in recipe.draw(rankings, topic="T1", seed=seed) if item.is_drawn]


def test_depth_takes_everything() -> None:
    assert drawn(DepthRecipe()) == ["D1", "D2", "D3", "D4", "D5", "D6"]


@pytest.mark.parametrize("order", ["rrf", "mnz", "rbp"])
def test_budget_takes_what_both_runs_have_on_top(order: str) -> None:
    # D1 and D3 are in both runs, at ranks 1 and 3: first by every order.
    assert drawn(BudgetRecipe(order, 2)) == ["D1", "D3"]  # type: ignore[arg-type]


def test_sample_keeps_the_chance_of_what_is_drawn_and_what_is_not() -> None:
    items = {item.docno: item for item in SampleRecipe(STRATA).draw(RANKINGS, topic="T1", seed=1)}
    # Stratum 1: the best of each run, D1 and D3, all of them. Stratum 2: two of D2, D4, D5 and D6.
    assert [(items[docno].stratum, items[docno].chance) for docno in ("D1", "D3")] == [(1, 1.0)] * 2
    below = [items[docno] for docno in ("D2", "D4", "D5", "D6")]
    assert [(item.stratum, item.chance) for item in below] == [(2, 0.5)] * 4
    assert sum(item.is_drawn for item in below) == 2


@pytest.mark.parametrize("method", ["mtf", "maxmean"])
def test_next_batch_holds_new_documents_and_follows_the_run_that_finds_more(method: str) -> None:
    rankings = {"good": [f"G{n}" for n in range(9)], "poor": [f"P{n}" for n in range(9)]}
    pooled = {("T1", f"G{n}"): True for n in range(3)} | {("T1", f"P{n}"): False for n in range(3)}
    batch = drawn(AdaptiveRecipe(method, 4, pooled), rankings)  # type: ignore[arg-type]
    assert len(batch) == 4
    assert not {docno for _, docno in pooled} & set(batch)
    assert sum(docno.startswith("G") for docno in batch) >= 2


@pytest.mark.parametrize("method", ["mtf", "maxmean"])
def test_batches_follow_from_runs_seed_and_judgments(method: str) -> None:
    """Replayed from the same runs, seed and judgments, every batch is the same."""

    def batches() -> list[list[str]]:
        pooled: dict[tuple[str, str], bool] = {}
        found = []
        for _ in range(3):
            found.append(drawn(AdaptiveRecipe(method, 2, dict(pooled)), seed=7))  # type: ignore[arg-type]
            pooled |= {("T1", docno): docno in {"D1", "D3"} for docno in found[-1]}
        return found

    assert batches() == batches()
    assert sorted(docno for batch in batches() for docno in batch) == drawn(DepthRecipe())


def test_depth_recipe_draws_the_topics_that_it_names() -> None:
    some = DepthRecipe(("T1",))

    assert [item.docno for item in some.draw({"a": ["D2", "D1"]}, topic="T1", seed=1)] == ["D1", "D2"]
    assert some.draw({"a": ["D2", "D1"]}, topic="T2", seed=1) == []
    assert some.to_json() == {"method": "depth", "topics": ["T1"]}
    assert DepthRecipe().to_json() == {"method": "depth"}


def test_max_mean_is_not_move_to_front() -> None:
    """After a, b and c run 1 has 3/5, run 2 at most 1/2: MaxMean continues with d from either run.

    Move-to-front leaves a run at its first document that is not relevant: if it began with run 2 (x), it
    comes back to that after c, for y.
    """
    rankings = {"1": ["a", "b", "c", "d"], "2": ["x", "y"]}
    judged = {"a": True, "b": True, "c": False, "x": False}
    pooled = {("T1", docno): is_relevant for docno, is_relevant in judged.items()}

    def drawn(method: Literal["mtf", "maxmean"]) -> set[str]:
        recipe = AdaptiveRecipe(method, 1, pooled)
        return {item.docno for seed in range(20) for item in recipe.draw(rankings, topic="T1", seed=seed)}

    assert drawn("maxmean") == {"d"}
    assert drawn("mtf") == {"d", "y"}


def test_documents_that_are_drawn_in_any_case_have_no_stratum_and_are_certain() -> None:
    for recipe in (DepthRecipe(), BudgetRecipe("rrf", 3), AdaptiveRecipe("mtf", 3, {})):
        items = recipe.draw(RANKINGS, topic="T1", seed=1)
        assert items
        assert {(item.stratum, item.is_drawn, item.chance) for item in items} == {(0, True, 1.0)}


def test_recipes_describe_themselves() -> None:
    assert BudgetRecipe("rrf", 5).to_json() == {"method": "rrf", "per_topic": 5}
    assert SampleRecipe(STRATA).to_json() == {
        "method": "strata",
        "strata": [{"depth": 1, "rate": 1.0}, {"depth": 4, "rate": 0.5}],
    }
    assert AdaptiveRecipe("mtf", 5, {}, {"batch": 2}).to_json() == {
        "method": "mtf",
        "per_topic": 5,
        "log": {"batch": 2},
    }


def test_next_batch_asks_for_the_topics_own_grades() -> None:
    pooled = {("T1", "D1"): True, ("T2", "D3"): True}
    assert "D1" not in drawn(AdaptiveRecipe("mtf", 6, pooled))
    assert "D3" in drawn(AdaptiveRecipe("mtf", 6, pooled))


PAIR = {"r1": ["a", "b", "c", "d"], "r2": ["x", "y", "a", "z"]}


def test_move_to_front_stays_with_a_run_that_finds_relevant_documents() -> None:
    # a relevant: r1 again with b, not: to the back; x not: to the back; c of r1, and so on.
    judged = {"a": True, "b": False, "x": False, "c": False, "y": True}
    assert move_to_front(PAIR, judged, limit=1) == ["a", "b", "x", "c", "y", "z"]


def test_move_to_front_stops_at_the_next_documents_to_judge() -> None:
    assert move_to_front(PAIR, {}, limit=2) == ["a", "x"]
    assert move_to_front(PAIR, {"a": True}, limit=1) == ["a", "b"]


def test_move_to_front_offers_each_document_once_and_ends() -> None:
    order = move_to_front(PAIR, {}, limit=100)
    assert sorted(order) == ["a", "b", "c", "d", "x", "y", "z"]
    assert move_to_front({"r1": []}, {}, limit=5) == []


def test_max_mean_prefers_the_run_with_the_higher_share() -> None:
    # r2 found two relevant documents of two, r1 none of one: r2 offers next (a is taken, so z).
    judged = {"a": False, "x": True, "y": True}
    assert max_mean(PAIR, judged, limit=1, seed=3)[-1] == "z"


def test_max_mean_is_replayed_by_its_seed() -> None:
    orders = {seed: max_mean(PAIR, {}, limit=100, seed=seed) for seed in range(8)}
    assert all(sorted(order) == ["a", "b", "c", "d", "x", "y", "z"] for order in orders.values())
    assert orders[5] == max_mean(dict(reversed(PAIR.items())), {}, limit=100, seed=5)
    assert len({tuple(order) for order in orders.values()}) > 1


def test_max_mean_by_hand() -> None:
    # Shares begin at 1/2. p first: a, 2/3; b, 2/4, a tie with q: c or x. q first: x, 1/3; p leads up to its
    # end with 2/3, 2/4 and 3/5. What p leaves, q offers.
    runs = {"p": ["a", "b", "c"], "q": ["x", "y", "z"]}
    judged = {"a": True, "b": False, "c": True, "x": False, "y": False, "z": True}
    orders = {"".join(max_mean(runs, judged, limit=100, seed=seed)) for seed in range(64)}
    assert orders == {"abcxyz", "abxcyz", "xabcyz"}


def test_max_mean_imagines_one_relevant_document_and_one_other() -> None:
    # p: a is not relevant, 1/3. q: x is, 2/3, the others are not: 2/4, 2/5, and at 2/6 they tie. (With two
    # imagined of each it would be 3/8 against 2/5, and b would always come before v.)
    runs = {"p": ["a", "b"], "q": ["x", "y", "z", "w", "v"]}
    judged = dict.fromkeys("abyzwv", False) | {"x": True}
    orders = {"".join(max_mean(runs, judged, limit=100, seed=seed)) for seed in range(200)}
    # At the start p and q tie, and after xy, 2/4, they tie again.
    assert orders == {begun + end for begun in ("axyzw", "xyazw", "xyzaw") for end in ("bv", "vb")}


def test_max_mean_counts_what_nobody_judged_yet_as_not_relevant() -> None:
    # After one document of a run, 1/3, the other run leads with 1/2.
    runs = {"p": ["a", "b"], "q": ["x", "y"]}
    assert {"".join(max_mean(runs, {}, limit=2, seed=seed)) for seed in range(64)} == {"ax", "xa"}


def test_max_mean_stops_at_the_next_documents_to_judge() -> None:
    assert max_mean({"p": ["a", "b", "c"]}, {"a": True}, limit=1, seed=0) == ["a", "b"]
    assert max_mean({"p": ["a", "b", "c"]}, {}, limit=2, seed=0) == ["a", "b"]


UNEVEN = {"r1": ["a", "b", "c"], "r2": ["b", "d"]}


def test_reciprocal_ranks_by_hand() -> None:
    order = reciprocal_rank_order(UNEVEN)
    assert [docno for docno, _ in order] == ["b", "a", "d", "c"]
    assert dict(order) == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "d": 1 / 62})


def test_rank_biased_weights_by_hand() -> None:
    order = rank_biased_order(UNEVEN, p=0.5)
    assert order == [("b", 0.75), ("a", 0.5), ("d", 0.25), ("c", 0.125)]


def test_mnz_by_hand() -> None:
    # r1 gives 1, 1/2, 0 and r2 1, 0; b is in two runs: 2 (1/2 + 1).
    assert borda_mnz_order(UNEVEN) == [("b", 3.0), ("a", 1.0), ("c", 0.0), ("d", 0.0)]


def test_equal_priorities_are_ordered_by_docno_whatever_the_order_of_the_runs() -> None:
    runs = {"r1": ["x", "y"], "r2": ["y", "x"]}
    backwards = dict(reversed(runs.items()))
    assert [docno for docno, _ in reciprocal_rank_order(runs)] == ["x", "y"]
    assert reciprocal_rank_order(backwards) == reciprocal_rank_order(runs)


def test_a_budget_takes_the_first_and_hides_their_order() -> None:
    assert budget_pool(reciprocal_rank_order(UNEVEN), 3) == ("a", "b", "d")


LONG = {
    "r1": [f"d{place:02}" for place in range(30)],
    "r2": ["d29", *(f"e{place:02}" for place in range(29))],
}
RATES = [Stratum(5, 1.0), Stratum(20, 0.25)]


def test_a_document_belongs_to_the_stratum_of_its_best_rank() -> None:
    items = {item.docno: item for item in stratified_pool(LONG, RATES, topic="1", seed=1)}
    # d29 is first in r2; ranks 1 to 5 are d00-d04, d29, e00-e03; ranks 6 to 20 are d05-d19 and e04-e18.
    assert items["d29"].stratum == 1
    assert sum(item.stratum == 1 for item in items.values()) == 10
    assert sum(item.stratum == 2 for item in items.values()) == 30
    assert "d25" not in items


def test_each_stratum_is_drawn_at_its_rate_rounded_up() -> None:
    items = stratified_pool(LONG, RATES, topic="1", seed=1)
    second = [item for item in items if item.stratum == 2]
    assert all(item.is_drawn and item.chance == 1.0 for item in items if item.stratum == 1)
    # A quarter of 30 is 7.5.
    assert sum(item.is_drawn for item in second) == 8
    assert {item.chance for item in second} == {8 / 30}


def test_the_draw_depends_on_seed_and_topic_and_is_even() -> None:
    backwards = dict(reversed(LONG.items()))
    assert stratified_pool(LONG, RATES, topic="1", seed=1) == stratified_pool(
        backwards, RATES, topic="1", seed=1
    )
    draws = np.array(
        [[i.is_drawn for i in stratified_pool(LONG, RATES, topic="t", seed=seed)] for seed in range(600)]
    )
    # 600 draws at 8/30: standard error 0.018 for each of the 30 documents of the second stratum.
    assert np.abs(draws[:, 10:].mean(axis=0) - 8 / 30).max() < 4 * 0.018


@pytest.mark.parametrize(
    "strata", [[], [Stratum(5, 1.0), Stratum(5, 0.5)], [Stratum(5, 0.0)], [Stratum(5, 1.5)]]
)
def test_strata_must_rise_and_have_a_rate(strata: list[Stratum]) -> None:
    with refused("strata-do-not-rise", match="from the top down"):
        stratified_pool(LONG, strata, topic="1", seed=1)


def test_a_stratum_without_documents_is_empty() -> None:
    items = stratified_pool({"r1": ["a", "b"]}, [Stratum(2, 1.0), Stratum(9, 0.5)], topic="1", seed=1)
    assert [(item.docno, item.stratum, item.chance) for item in items] == [("a", 1, 1.0), ("b", 1, 1.0)]


def test_strata_meet_without_a_gap_or_an_overlap() -> None:
    strata = [Stratum(1, 1.0), Stratum(2, 1.0), Stratum(4, 1.0)]
    items = stratified_pool({"r1": list("abcde")}, strata, topic="1", seed=1)
    assert {item.docno: item.stratum for item in items} == {"a": 1, "b": 2, "c": 3, "d": 3}
