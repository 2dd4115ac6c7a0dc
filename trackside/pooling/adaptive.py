"""Adaptive pools, which use the judgments so far: move-to-front and a bandit over the runs of a topic.

Both replay the judgments: the same runs, seed and judgments give the same next documents. A log of judgments
therefore reproduces the pool.
"""

from collections.abc import Mapping, Sequence

import numpy as np

Rankings = Mapping[str, Sequence[str]]


def move_to_front(rankings: Rankings, judged: Mapping[str, bool], *, limit: int) -> list[str]:
    """Documents of a topic in move-to-front order, up to the first `limit` that are not judged.

    The front run offers its next document; if the document is relevant the run stays in front, else it moves
    to the back (Cormack, Palmer and Clarke, SIGIR 1998). `judged` maps each judged document to whether it is
    relevant; unjudged documents count as not relevant. Runs start in the order given.
    """
    queue = [run for run in rankings if rankings[run]]
    positions = dict.fromkeys(queue, 0)
    order: list[str] = []
    seen: set[str] = set()
    unjudged = 0
    while queue and unjudged < limit:
        run = queue.pop(0)
        docno = _next(rankings[run], positions, run, seen)
        if docno is None:
            continue
        order.append(docno)
        seen.add(docno)
        unjudged += docno not in judged
        queue.insert(0 if judged.get(docno, False) else len(queue), run)
    return order


def max_mean(rankings: Rankings, judged: Mapping[str, bool], *, limit: int, seed: int) -> list[str]:
    """Documents of a topic in the order of the MaxMean bandit, up to the first `limit` that are not judged.

    Each run is an arm. The arm with the highest share of relevant among the documents it has offered, plus
    one pseudo-relevant and one pseudo-nonrelevant document, offers its next document (Losada, Parapar and
    Barreiro 2016). A document without a judgment counts as not relevant. The seed breaks ties between arms.
    """
    rng = np.random.default_rng(seed)
    positions = {run: 0 for run in sorted(rankings) if rankings[run]}
    hits, pulls = dict.fromkeys(positions, 1), dict.fromkeys(positions, 2)
    order: list[str] = []
    seen: set[str] = set()
    unjudged = 0
    while positions and unjudged < limit:
        best = max(hits[run] / pulls[run] for run in positions)
        leaders = [run for run in positions if hits[run] / pulls[run] == best]
        run = leaders[int(rng.integers(len(leaders)))]
        docno = _next(rankings[run], positions, run, seen)
        if docno is None:
            del positions[run]
            continue
        order.append(docno)
        seen.add(docno)
        unjudged += docno not in judged
        hits[run] += judged.get(docno, False)
        pulls[run] += 1
    return order


def _next(docnos: Sequence[str], positions: dict[str, int], run: str, seen: set[str]) -> str | None:
    """Advance the run to its next unseen document and return it; None if it has no more."""
    while positions[run] < len(docnos):
        docno = docnos[positions[run]]
        positions[run] += 1
        if docno not in seen:
            return docno
    return None
