from trackside.pooling.depth import unique_relevant

# d1 is everybody's, d2 of both runs of Kestrel, d3 of one run alone; d4 is not relevant.
TOPS = {"k1": {"T1": ["d1", "d2", "d4"]}, "k2": {"T1": ["d2", "d1"], "T2": ["d3"]}, "n1": {"T1": ["d1"]}}
TEAMS = {"k1": "Kestrel", "k2": "Kestrel", "n1": "Nordlys"}
RELEVANT = {"T1": {"d1", "d2", "d9"}, "T2": {"d3"}}


def test_uniques_are_relevant_and_of_one_run_or_of_one_team() -> None:
    found = unique_relevant(TOPS, TEAMS, RELEVANT)
    assert {tag: dict(each.by_run) for tag, each in found.items()} == {"k1": {}, "k2": {"T2": 1}, "n1": {}}
    assert {tag: dict(each.by_team) for tag, each in found.items()} == {
        "k1": {"T1": 1},
        "k2": {"T1": 1, "T2": 1},
        "n1": {},
    }


def test_several_uniques_of_a_topic_add_up() -> None:
    tops = {"k1": {"T1": ["d1", "d2"], "T3": ["d7"]}, "n1": {"T1": ["d3"]}}
    found = unique_relevant(tops, TEAMS, {"T1": {"d1", "d2", "d3"}})  # nothing is relevant in T3
    assert {tag: dict(each.by_run) for tag, each in found.items()} == {"k1": {"T1": 2}, "n1": {"T1": 1}}
    assert {tag: dict(each.by_team) for tag, each in found.items()} == {"k1": {"T1": 2}, "n1": {"T1": 1}}
