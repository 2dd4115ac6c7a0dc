"""Cosines of pairs from the vectors of their two sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from judges.core.judge import Vector


def pair_cosines(vectors: Mapping[str, Vector], pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """The cosine of each pair of named unit vectors, shape (n,), by one matrix product.

    The product holds every topic against every document of the pairs: 4 bytes each, 2.7 MB for 74 topics and
    9,000 documents.
    """
    topics = {name: row for row, name in enumerate(dict.fromkeys(topic for topic, _ in pairs))}
    documents = {name: row for row, name in enumerate(dict.fromkeys(document for _, document in pairs))}
    if not pairs:
        return np.empty(0, np.float32)
    product = np.stack([vectors[name] for name in topics]) @ np.stack([vectors[name] for name in documents]).T
    return product[[topics[topic] for topic, _ in pairs], [documents[document] for _, document in pairs]]
