from evaluation.core.adaptive_pooling import max_mean, move_to_front

RUNS = {"r1": ["a", "b", "c", "d"], "r2": ["x", "y", "a", "z"]}


def test_move_to_front_stays_with_a_run_that_finds_relevant_documents() -> None:
    # a relevant: r1 again with b, not: to the back; x not: to the back; c of r1, and so on.
    judged = {"a": True, "b": False, "x": False, "c": False, "y": True}
    assert move_to_front(RUNS, judged, limit=1) == ["a", "b", "x", "c", "y", "z"]


def test_move_to_front_stops_at_the_next_documents_to_judge() -> None:
    assert move_to_front(RUNS, {}, limit=2) == ["a", "x"]
    assert move_to_front(RUNS, {"a": True}, limit=1) == ["a", "b"]


def test_move_to_front_offers_each_document_once_and_ends() -> None:
    order = move_to_front(RUNS, {}, limit=100)
    assert sorted(order) == ["a", "b", "c", "d", "x", "y", "z"]
    assert move_to_front({"r1": []}, {}, limit=5) == []


def test_max_mean_prefers_the_run_with_the_higher_share() -> None:
    # r2 found two relevant documents of two, r1 none of one: r2 offers next (a is taken, so z).
    judged = {"a": False, "x": True, "y": True}
    assert max_mean(RUNS, judged, limit=1, seed=3)[-1] == "z"


def test_max_mean_is_replayed_by_its_seed() -> None:
    orders = {seed: max_mean(RUNS, {}, limit=100, seed=seed) for seed in range(8)}
    assert all(sorted(order) == ["a", "b", "c", "d", "x", "y", "z"] for order in orders.values())
    assert orders[5] == max_mean(dict(reversed(RUNS.items())), {}, limit=100, seed=5)
    assert len({tuple(order) for order in orders.values()}) > 1
