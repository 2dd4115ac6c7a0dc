from typing import Literal

import pytest

from trackside.pooling.recipes import AdaptiveRecipe, BudgetRecipe, DepthRecipe, Recipe, SampleRecipe, Stratum

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
    assert DepthRecipe().to_json() == {"method": "depth"}
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
