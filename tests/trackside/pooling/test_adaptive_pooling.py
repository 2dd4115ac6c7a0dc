from trackside.pooling.recipes import max_mean, move_to_front

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
