"""Counts of pools from heads of rankings, against sets of documents."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from trackside.pooling.heads import HeadCounts

DEPTHS = (1, 3, 10, 100)
OWN = np.array([3, 5, 40, 100, 200, 3])  # depths of six runs
TEAMS = np.array([0, 0, 1, 2, 2, 1])
COLLECTION = np.random.default_rng(3).integers(0, 2**64, 400, dtype=np.uint64)
Heads = dict[int, list[int]]


def make_topic(seed: int) -> tuple[Heads, set[int], dict[str, set[int]]]:
    """The first documents of four or more runs, the pooled documents, and those that lack something."""
    rng = np.random.default_rng(seed)
    documents = COLLECTION[: rng.integers(120, len(COLLECTION))]
    runs = sorted(rng.permutation(len(OWN))[: rng.integers(4, len(OWN) + 1)].tolist())
    heads = {run: rng.permutation(documents)[: rng.integers(1, 101)].tolist() for run in runs}
    empty, bare = rng.choice(COLLECTION, (2, 60)).tolist()
    return heads, set(rng.choice(COLLECTION, 90).tolist()), {"empty": set(empty), "bare": set(bare)}


def sorted_numbers(documents: set[int]) -> NDArray[np.uint64]:
    return np.array(sorted(documents), dtype=np.uint64)


def count_heads() -> HeadCounts:
    counts = HeadCounts(DEPTHS, OWN, TEAMS)
    for heads, pooled, lacking in TOPICS:
        counts.add_topic(
            np.concatenate([np.array(head, dtype=np.uint64) for head in heads.values()]),
            np.array([len(head) for head in heads.values()]),
            np.array(list(heads)),
            sorted_numbers(pooled),
            {name: sorted_numbers(documents) for name, documents in lacking.items()},
        )
    return counts


def pool_of(heads: Heads) -> dict[int, set[int]]:
    """The runs of each document."""
    found: dict[int, set[int]] = {}
    for run, documents in heads.items():
        for document in documents:
            found.setdefault(document, set()).add(run)
    return found


TOPICS = [make_topic(seed) for seed in range(30)]


def test_counts_by_depth_are_those_of_sets_of_documents() -> None:
    for depth, found in count_heads().by_depth.items():
        tops = [{run: head[:depth] for run, head in heads.items()} for heads, *_ in TOPICS]
        pools = [pool_of(each) for each in tops]
        new = (pool.keys() - pooled for pool, (_, pooled, _) in zip(pools, TOPICS, strict=True))
        assert found.sizes == [len(pool) for pool in pools]
        assert found.new_count == sum(map(len, new))
        assert found.unique_count == sum(len(runs) == 1 for pool in pools for runs in pool.values())
        assert found.slot_count == sum(len(head) for top in tops for head in top.values())


def test_counts_at_the_runs_own_depths_are_those_of_sets_of_documents() -> None:
    counts = count_heads()
    pools = [pool_of({run: head[: OWN[run]] for run, head in heads.items()}) for heads, *_ in TOPICS]
    alone = Counter(min(runs) for pool in pools for runs in pool.values() if len(runs) == 1)
    teams = [{TEAMS[run] for run in runs} for pool in pools for runs in pool.values()]
    alone_of_team = Counter(min(found) for found in teams if len(found) == 1)
    assert counts.run_uniques.tolist() == [alone[run] for run in range(len(OWN))]
    assert counts.team_uniques.tolist() == [alone_of_team[team] for team in range(3)]
    for name, count in counts.lacking_counts.items():
        assert count == sum(
            len(pool.keys() & lacking[name]) for pool, (*_, lacking) in zip(pools, TOPICS, strict=True)
        )
