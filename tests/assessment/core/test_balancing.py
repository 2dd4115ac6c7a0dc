import pytest

from assessment.core.arranging import draw_overlap, share_topics


def test_share_topics_counts_what_is_held_already() -> None:
    assert share_topics({"a": 5, "b": 4}, {1: 100, 2: 0}, seed=1) == {"a": 2, "b": 2}


def test_share_topics_keeps_bound_topics_and_counts_them_first() -> None:
    # "a" is bound to 1, so the larger "b" and "c" start from loads of 3 and 0.
    shares = share_topics({"a": 3, "b": 5, "c": 4}, {1: 0, 2: 0}, seed=1, bound={"a": 1})
    assert shares == {"a": 1, "b": 2, "c": 1}


def test_share_topics_never_gives_a_topic_to_a_barred_assessor() -> None:
    barred = {"a": {1}, "b": {1, 3}}
    assert share_topics({"a": 3, "b": 3}, {1: 0, 2: 9, 3: 20}, seed=1, barred=barred) == {"a": 2, "b": 2}


def test_share_topics_follows_the_seed() -> None:
    sizes = {f"t{number}": 10 for number in range(12)}
    loads = dict.fromkeys(range(4), 0)
    shares = [share_topics(sizes, loads, seed=seed) for seed in range(10)]
    assert shares[3] == share_topics(dict(reversed(sizes.items())), dict(reversed(loads.items())), seed=3)
    assert any(share != shares[0] for share in shares)
    # Twelve equal topics for four people: three each, whatever the seed.
    assert all(sorted(share.values()) == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3] for share in shares)


@pytest.mark.parametrize(
    ("percent", "count"),
    # 10 % of 30 is 3 exactly; floats would make it 4. 1 % of 30 is 0.3, rounded up.
    [(0, 0), (1, 1), (10, 3), (25, 8), (100, 30)],
)
def test_draw_overlap_rounds_up(percent: int, count: int) -> None:
    topics = [f"t{number}" for number in range(30)]
    drawn = draw_overlap(topics, percent, seed=7)
    assert len(set(drawn)) == count
    assert drawn == draw_overlap(set(topics), percent, seed=7)
