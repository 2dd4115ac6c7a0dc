"""Pools that learn from judgments as they come in: move-to-front and a bandit over the runs of a topic.

Both are replayed from the judgments so far: the same runs, seed and judgments give the same next documents,
so a log of judgments is a log of the pool.
"""

from collections.abc import Mapping, Sequence

import numpy as np

Rankings = Mapping[str, Sequence[str]]


def move_to_front(rankings: Rankings, judged: Mapping[str, bool], *, limit: int) -> list[str]:
    """Documents of a topic in move-to-front order, up to the first `limit` that are not judged.

    The first run offers its next document; while its documents are relevant it stays in front, else it goes
    to the back (Cormack, Palmer and Clarke, SIGIR 1998). `judged` says of each judged document whether it is
    relevant; one that is not judged yet counts as not relevant. Runs start in the order given.
    """
    queue = [run for run in rankings if rankings[run]]
    places = dict.fromkeys(queue, 0)
    order: list[str] = []
    seen: set[str] = set()
    unjudged = 0
    while queue and unjudged < limit:
        run = queue.pop(0)
        docno = _next(rankings[run], places, run, seen)
        if docno is None:
            continue
        order.append(docno)
        seen.add(docno)
        unjudged += docno not in judged
        queue.insert(0 if judged.get(docno, False) else len(queue), run)
    return order


def max_mean(rankings: Rankings, judged: Mapping[str, bool], *, limit: int, seed: int) -> list[str]:
    """Documents of a topic in the order of the MaxMean bandit, up to the first `limit` that are not judged.

    Each run is an arm; the one with the highest mean share of relevant among its judged documents, with one
    imagined relevant and one imagined other, offers its next document (Losada, Parapar and Barreiro 2016).
    Equal arms are drawn with the seed.
    """
    rng = np.random.default_rng(seed)
    places = {run: 0 for run in sorted(rankings) if rankings[run]}
    hits, pulls = dict.fromkeys(places, 1), dict.fromkeys(places, 2)
    order: list[str] = []
    seen: set[str] = set()
    unjudged = 0
    while places and unjudged < limit:
        best = max(hits[run] / pulls[run] for run in places)
        leaders = [run for run in places if hits[run] / pulls[run] == best]
        run = leaders[int(rng.integers(len(leaders)))]
        docno = _next(rankings[run], places, run, seen)
        if docno is None:
            del places[run]
            continue
        order.append(docno)
        seen.add(docno)
        unjudged += docno not in judged
        hits[run] += judged.get(docno, False)
        pulls[run] += 1
    return order


def _next(docnos: Sequence[str], places: dict[str, int], run: str, seen: set[str]) -> str | None:
    """The run's next document that is not seen yet; its place moves on; None when it has no more."""
    while places[run] < len(docnos):
        docno = docnos[places[run]]
        places[run] += 1
        if docno not in seen:
            return docno
    return None
