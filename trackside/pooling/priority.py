"""Orders in which to pool documents if the budget does not cover every run's depth.

Orders are by topic; `rankings` maps runs to their docnos of that topic, best first. Equal priorities are
ordered by docno, ascending, so that an order never depends on the order of the runs.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

Rankings = Mapping[str, Sequence[str]]

RRF_K = 60
"""Constant of Cormack, Clarke and Buettcher, SIGIR 2009."""


def reciprocal_rank_order(rankings: Rankings, *, k: int = RRF_K) -> list[tuple[str, float]]:
    """Documents and priorities, highest first: the sum over runs of 1 / (k + rank), ranks from 1."""
    return _ordered(rankings, lambda index: 1 / (k + index + 1))


def rank_biased_order(rankings: Rankings, *, p: float = 0.8) -> list[tuple[str, float]]:
    """Documents and priorities: the sum over runs of (1 - p) p^(rank - 1), the weights of RBP.

    The first documents judged are those that change RBP most (Moffat, Webber and Zobel, SIGIR 2007).
    """
    return _ordered(rankings, lambda index: (1 - p) * p**index)


def borda_mnz_order(rankings: Rankings) -> list[tuple[str, float]]:
    """Documents and priorities: CombMNZ of scores by rank, 1 for the first of a run and 0 for the last."""
    sums: Counter[str] = Counter()
    for docnos in rankings.values():
        last = max(len(docnos) - 1, 1)
        sums.update({docno: 1 - index / last for index, docno in enumerate(docnos)})
    counts = Counter(docno for docnos in rankings.values() for docno in docnos)
    return _sorted({docno: total * counts[docno] for docno, total in sums.items()})


def budget_pool(order: Sequence[tuple[str, float]], budget: int) -> tuple[str, ...]:
    """The first `budget` documents of an order, in byte order so that the pool does not reveal it."""
    return tuple(sorted(docno for docno, _ in order[:budget]))


def _ordered(rankings: Rankings, weight: Callable[[int], float]) -> list[tuple[str, float]]:
    priorities: dict[str, float] = {}
    for run in sorted(rankings):
        for index, docno in enumerate(rankings[run]):
            priorities[docno] = priorities.get(docno, 0.0) + weight(index)
    return _sorted(priorities)


def _sorted(priorities: Mapping[str, float]) -> list[tuple[str, float]]:
    """Descending priority; sums that differ only by rounding are equal."""
    return sorted(priorities.items(), key=lambda item: (-round(item[1], 12), item[0]))
