"""Cosine similarities of pairs from the vectors of topics and documents."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trackside.judging.settings import CHUNK_MAX


def pair_cosines(
    vectors: Mapping[str, NDArray[np.float32]], pairs: Sequence[tuple[str, str]], long_text: str = ""
) -> NDArray[np.float32]:
    """Return the cosine of each pair of names, shape (n,), topic by topic.

    A name has one unit vector (d,), or the vectors of its pieces (k, d). `chunk-max` uses the piece with the
    highest cosine; every other policy uses the mean of the pieces' vectors, normalised to unit length. A
    topic is multiplied with its own documents only, in double precision: rounded to single precision, a
    cosine does not depend on the order of summation, and so not on the other pairs.
    """
    cosines = np.empty(len(pairs), np.float32)
    by_topic: dict[str, list[int]] = {}
    for index, (topic, _) in enumerate(pairs):
        by_topic.setdefault(topic, []).append(index)
    for topic, indices in by_topic.items():
        pieces = _pieces(vectors[topic], long_text)
        documents = [_pieces(vectors[pairs[index][1]], long_text) for index in indices]
        starts = np.cumsum([0, *(len(document) for document in documents[:-1])])
        nearest = (np.concatenate(documents).astype(np.float64) @ pieces.T.astype(np.float64)).max(axis=1)
        cosines[indices] = np.maximum.reduceat(nearest, starts)
    return cosines


def _pieces(vector: NDArray[np.float32], long_text: str) -> NDArray[np.float32]:
    """Return the vectors (k, d) that a name is compared by."""
    pieces = np.atleast_2d(vector)
    if long_text == CHUNK_MAX or len(pieces) == 1:
        return pieces
    mean = pieces.mean(axis=0, dtype=np.float64, keepdims=True)
    unit: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit
