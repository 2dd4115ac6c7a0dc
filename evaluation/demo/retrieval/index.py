"""Scores between sections and pictures of a task, by CLIP and by BM25; -inf = not retrieved."""

import logging
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from evaluation.demo.scenes import Scene
from evaluation.demo.world import DemoItem, DemoTask
from judges.backends.clip.encoder import ClipEncoder
from trackside.arrays import Floats
from trackside.judging.judge import encode_files
from trackside.judging.settings import Settings

LongText: TypeAlias = Literal["first window", "mean of windows", "best window"]
"""Policy for texts longer than CLIP's limit; their windows are adjacent, without overlap."""
RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009."""


class ItemIndex:
    """An index of the items of a task. Every score matrix is (topic, document)."""

    def __init__(self, task: DemoTask, images: Mapping[str, bytes], clip: Path) -> None:
        """Load the CLIP in the folder and encode the pictures; `images` maps ids to files."""
        items = (*task.topics, *task.documents)
        self._pictures = [item for item in items if isinstance(item.about, Scene)]
        self._sections = [item for item in items if not isinstance(item.about, Scene)]
        self._has_section_topics = not isinstance(task.topics[0].about, Scene)
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        self._clip = ClipEncoder(
            ClipEncoder.pinned(Settings(backend="clip", revision=0, model=str(clip), model_revision=""))
        )
        files = [images[picture.id] for picture in self._pictures]
        self._vectors = np.array(encode_files(self._clip, files), np.float64)

    def clip(self, fields: Sequence[str], policy: LongText = "first window") -> Floats:
        """Score these fields of the sections against the pictures by CLIP."""
        texts = _texts(self._sections, fields)
        windows = [[text] if policy == "first window" else self._clip.pieces(text, "") for text in texts]
        vectors = np.array(
            self._clip.encode_texts([window for some in windows for window in some]), np.float64
        )
        starts = [0, *accumulate(len(some) for some in windows)][:-1]
        if policy == "mean of windows":
            means = np.add.reduceat(vectors, starts)
            return self._turned(means / np.linalg.norm(means, axis=1, keepdims=True) @ self._vectors.T)
        return self._turned(np.maximum.reduceat(vectors @ self._vectors.T, starts))

    def bm25(self, fields: Sequence[str], captions: Sequence[str]) -> Floats:
        """Score these fields of the sections against these captions by BM25."""
        texts = [_texts(self._sections, fields), _texts(self._pictures, captions)]
        topics, documents = texts if self._has_section_topics else reversed(texts)
        return bm25(topics, documents)

    def _turned(self, scores: Floats) -> Floats:
        return scores if self._has_section_topics else scores.T


def _texts(items: Sequence[DemoItem], fields: Sequence[str]) -> list[str]:
    """Join the named fields of each item; a picture without any of the captions gives an empty text."""
    return [". ".join(item.fields[name] for name in fields if name in item.fields) for item in items]


def bm25(topics: Sequence[str], documents: Sequence[str]) -> Floats:
    """Score documents by BM25; a document that shares no word with the topic is not retrieved."""
    import bm25s  # half a second that the server does not need

    logging.getLogger("bm25s").setLevel(logging.INFO)  # the package sets DEBUG itself and logs every index
    index = bm25s.BM25(backend="numpy")
    index.index(bm25s.tokenize(list(documents), stopwords="en", show_progress=False), show_progress=False)
    words = bm25s.tokenize(list(topics), stopwords="en", return_ids=False, show_progress=False)
    scores = np.array([index.get_scores_from_ids(index.get_tokens_ids(topic)) for topic in words], np.float64)
    return np.where(scores > 0, scores, -np.inf)


def reciprocal_rank_fusion(*rankings: Floats) -> Floats:
    """Sum 1 / (60 + rank) over the rankings that retrieved the document."""
    parts = [np.where(np.isfinite(scores), 1 / (RRF_CONSTANT + ranks(scores)), 0) for scores in rankings]
    total = np.sum(parts, axis=0)
    return np.where(total > 0, total, -np.inf)


def weighted_sum(first: Floats, second: Floats, *, weight: float) -> Floats:
    """Add two rankings, each topic's scores scaled to 0 to 1, with ``weight`` and 1 - ``weight``."""
    return weight * _stretched(first) + (1 - weight) * _stretched(second)


def reranked(first: Floats, second: Floats, *, depth: int) -> Floats:
    """Rerank the first ranking's best documents by the second; only those are retrieved."""
    return np.where((ranks(first) <= depth) & np.isfinite(first), second, -np.inf)


def ranks(scores: Floats) -> Floats:
    """Rank each topic's documents from 1, equal scores in the order of the columns."""
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.asarray(np.argsort(order, axis=1, kind="stable") + 1.0, np.float64)


def _stretched(scores: Floats) -> Floats:
    """Scale each topic's scores to 0 to 1; 0 where nothing was retrieved."""
    retrieved = np.isfinite(scores)
    lowest = np.where(retrieved, scores, np.inf).min(axis=1, keepdims=True)
    span = scores.max(axis=1, keepdims=True) - lowest
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(retrieved & (span > 0), (scores - lowest) / span, 0.0)
