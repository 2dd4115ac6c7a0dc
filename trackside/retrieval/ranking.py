"""The best documents of each topic, by BM25 or by vectors."""

import logging
from collections.abc import Iterator, Sequence

import numpy as np

from trackside.arrays import Floats
from trackside.errors import InputError

BLOCK = 1 << 16  # documents whose cosines with all topics are in memory at a time
Ranked = list[tuple[str, float]]  # docnos with scores, best first


def bm25_rankings(
    topics: Sequence[str], docnos: Sequence[str], documents: Sequence[str], *, depth: int
) -> Iterator[Ranked]:
    """Yield the ranking of each topic's text by BM25. Raises InputError as ``bm25_scores``."""
    return (best(docnos, scores, depth) for scores in bm25_scores(topics, documents))


def bm25_scores(topics: Sequence[str], documents: Sequence[str]) -> Iterator[Floats]:
    """Yield each topic's scores of the documents by BM25 (bm25s's defaults: Lucene's variant, k1 1.5, b .75).

    English stop words are left out. A document that shares no word with the topic has minus infinity.
    Raises InputError if the documents have no other word.
    """
    import bm25s  # half a second

    logging.getLogger("bm25s").setLevel(logging.INFO)  # the package sets DEBUG itself and logs every index
    index = bm25s.BM25(backend="numpy")
    known = bm25s.tokenize(list(documents), stopwords="en", show_progress=False)
    if not any(known.ids):
        raise InputError("the documents have no word but English stop words. Choose other fields.")
    index.index(known, show_progress=False)
    words = bm25s.tokenize(list(topics), stopwords="en", return_ids=False, show_progress=False)
    for topic in words:
        scores = np.asarray(index.get_scores_from_ids(index.get_tokens_ids(topic)), dtype=np.float64)
        yield np.where(scores > 0, scores, -np.inf)


def vector_rankings(topics: Floats, docnos: Sequence[str], documents: Floats, *, depth: int) -> list[Ranked]:
    """Return the ranking of each topic by cosine; the rows of both are unit vectors of one length."""
    found: list[Ranked] = [[] for _ in topics]
    for start in range(0, len(documents), BLOCK):
        cosines = topics @ documents[start : start + BLOCK].T
        names = docnos[start : start + BLOCK]
        for ranked, row in zip(found, cosines, strict=True):
            both = [*ranked, *best(names, row.astype(np.float64), depth)]
            ranked[:] = sorted(both, key=lambda pair: (pair[1], pair[0]), reverse=True)[:depth]
    return found


def best(docnos: Sequence[str], scores: Floats, depth: int) -> Ranked:
    """Return the documents with the highest finite scores; of equal ones the last docno first."""
    if len(scores) > depth:
        cut = np.partition(scores, -depth)[-depth]
        places = np.flatnonzero(scores >= cut)
    else:
        places = np.arange(len(scores))
    pairs = [(docnos[place], float(scores[place])) for place in places.tolist() if np.isfinite(scores[place])]
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)[:depth]
