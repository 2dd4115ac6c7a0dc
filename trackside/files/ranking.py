"""The order of results: score descending, equal scores by docno descending; the rank column is ignored.

This is trec_eval's order. trec_eval 10 compares scores as doubles. trec_eval 9, pytrec_eval and all official
result pages so far compare 32-bit floats, where more scores are equal: ``single=True``.
"""

import numpy as np
from numpy.typing import NDArray

from trackside.files.text_columns import TextColumn


def order(
    topics: NDArray[np.int64], scores: NDArray[np.float64], docnos: TextColumn, *, single: bool = False
) -> NDArray[np.int64] | None:
    """The permutation that sorts n results by topic, best first; None if they are already sorted.

    ``topics`` has a number for each result (ascending in the output), ``scores`` its score (no NaN),
    ``docnos`` its docno. Docnos are compared as UTF-8 bytes. Results with equal topic, score and
    docno keep their order.
    """
    with np.errstate(over="ignore"):  # values beyond 32-bit floats become infinite, as in C
        keys = scores.astype(np.float32) if single else scores
    permutation = None
    is_in_order = (keys[1:] <= keys[:-1]) & (topics[1:] == topics[:-1])
    if not (is_in_order | (topics[1:] > topics[:-1])).all():
        permutation = np.lexsort((-keys, topics))
        topics, keys = topics[permutation], keys[permutation]
    is_tie = (topics[1:] == topics[:-1]) & (keys[1:] == keys[:-1])
    if not is_tie.any():
        return permutation
    in_tie = np.concatenate((is_tie, [False])) | np.concatenate(([False], is_tie))
    positions = np.flatnonzero(in_tie)
    groups = np.cumsum(np.concatenate(([True], ~is_tie)))[positions]
    if permutation is None:
        permutation = np.arange(len(scores))
    rows = permutation[positions]
    docnos_descending = [~key for key in reversed(docnos.take(rows).sort_keys())]
    permutation[positions] = rows[np.lexsort([*docnos_descending, groups])]
    return permutation
