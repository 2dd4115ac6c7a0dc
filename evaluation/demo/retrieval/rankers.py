"""Scoring and fusion on matrices (topic, document); -inf = not retrieved."""

import logging
from collections.abc import Sequence

import bm25s
import numpy as np

from trackside.arrays import Floats

logging.getLogger("bm25s").setLevel(logging.INFO)  # the package sets DEBUG itself and logs every index

RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009."""


def bm25(topics: Sequence[str], documents: Sequence[str]) -> Floats:
    """Score documents by BM25; a document that shares no word with the topic is not retrieved."""
    index = bm25s.BM25(backend="numpy")
    index.index(bm25s.tokenize(list(documents), stopwords="en", show_progress=False), show_progress=False)
    words = bm25s.tokenize(list(topics), stopwords="en", return_ids=False, show_progress=False)
    scores = np.array([index.get_scores_from_ids(index.get_tokens_ids(topic)) for topic in words], np.float64)
    return np.where(scores > 0, scores, -np.inf)


def reciprocal_rank_fusion(*rankings: Floats) -> Floats:
    """Sum 1 / (60 + rank) over the rankings that retrieved the document."""
    parts = [np.where(np.isfinite(scores), 1 / (RRF_CONSTANT + _ranks(scores)), 0) for scores in rankings]
    total = np.sum(parts, axis=0)
    return np.where(total > 0, total, -np.inf)


def weighted_sum(first: Floats, second: Floats, *, weight: float) -> Floats:
    """Add two rankings, each topic's scores scaled to 0 to 1, with ``weight`` and 1 - ``weight``."""
    return weight * _stretched(first) + (1 - weight) * _stretched(second)


def reranked(first: Floats, second: Floats, *, depth: int) -> Floats:
    """Rerank the first ranking's best documents by the second; only those are retrieved."""
    return np.where((_ranks(first) <= depth) & np.isfinite(first), second, -np.inf)


def _ranks(scores: Floats) -> Floats:
    """Rank each topic's documents from 1, equal scores in the order of the columns."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = np.empty_like(scores)
    np.put_along_axis(ranks, order, np.arange(1.0, scores.shape[1] + 1)[None, :], axis=1)
    return ranks


def _stretched(scores: Floats) -> Floats:
    """Scale each topic's scores to 0 to 1; 0 where nothing was retrieved."""
    found = np.isfinite(scores)
    lowest = np.where(found, scores, np.inf).min(axis=1, keepdims=True)
    span = scores.max(axis=1, keepdims=True) - lowest
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(found & (span > 0), (scores - lowest) / span, 0.0)
