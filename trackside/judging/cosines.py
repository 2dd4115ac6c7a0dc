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
    found = np.empty(len(pairs), np.float32)
    by_topic: dict[str, list[int]] = {}
    for place, (topic, _) in enumerate(pairs):
        by_topic.setdefault(topic, []).append(place)
    for topic, places in by_topic.items():
        pieces = _pieces(vectors[topic], long_text)
        own = [_pieces(vectors[pairs[place][1]], long_text) for place in places]
        starts = np.cumsum([0, *(len(each) for each in own[:-1])])
        nearest = (np.concatenate(own).astype(np.float64) @ pieces.T.astype(np.float64)).max(axis=1)
        found[places] = np.maximum.reduceat(nearest, starts)
    return found


def _pieces(vector: NDArray[np.float32], long_text: str) -> NDArray[np.float32]:
    """Return the vectors (k, d) that a name is compared by."""
    own = np.atleast_2d(vector)
    if long_text == CHUNK_MAX or len(own) == 1:
        return own
    mean = own.mean(axis=0, dtype=np.float64, keepdims=True)
    unit: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit
