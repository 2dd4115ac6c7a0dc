"""Area under the curve of precision and recall, as the step sum of average precision, not by trapezoids.

Tied scores are one threshold.
"""

import numpy as np
from numpy.typing import ArrayLike

from trackside.arrays import Floats, Ints, paired
from trackside.statistics.estimate import Estimate, Reason


def auprc_without_each(is_relevant: ArrayLike, scores: ArrayLike, topics: Ints) -> tuple[Estimate, Floats]:
    """AUPRC of the items, undefined without a relevant one, and with each topic left out once (NaN then).

    ``topics`` is the topic of each item.
    """
    relevant, values = paired(is_relevant, scores)
    heights = np.unique(-values, return_inverse=True)[1]
    size = int(heights.max(initial=-1)) + 1
    found, items = np.bincount(heights, relevant, size), np.bincount(heights, minlength=size)
    value = _auprc(found, items)
    left_out = []
    for topic in np.unique(topics):
        own = topics == topic
        without = np.bincount(heights[own], relevant[own], size), np.bincount(heights[own], minlength=size)
        left_out.append(_auprc(found - without[0], items - without[1]))
    estimate = Estimate.undefined(Reason.NO_RELEVANT) if np.isnan(value) else Estimate.of(value)
    return estimate, np.array(left_out)


def auprc_by_chance(relevant_count: int, scores: ArrayLike) -> float:
    """The mean AUPRC of these scores, ties among them, over all ways to lay them on the items.

    Of the N items down to a score with m items, m (1 + (N - 1) (R - 1) / (n - 1)) / (n N) is added, with R
    relevant items among n: each pair of items is relevant with the same chance. There is at least one.
    """
    items = np.unique(-np.asarray(scores, dtype=np.float64), return_counts=True)[1]
    found, total = items.cumsum(), items.sum()
    pairs = (found - 1) * (relevant_count - 1) / max(total - 1, 1)
    return float((items * (1 + pairs) / (total * found)).sum())


def _auprc(relevant: Floats | Ints, items: Ints) -> float:
    """The mean over relevant items of the precision at their score; counts by score, the highest first."""
    total = relevant.sum()
    return (
        float((relevant * relevant.cumsum() / np.maximum(items.cumsum(), 1)).sum() / total)
        if total
        else np.nan
    )
