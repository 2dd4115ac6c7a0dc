"""Estimate a run's number of relevant items from a model's grades of all items and people's grades of some.

A run's items are a finite set of known size, divided into strata by the model's grades. People grade items
drawn at random from a larger set. Given their number in a stratum, these are a random sample of it. A
stratum's share of relevant items has Wilson's interval with finite population correction; the intervals of
the strata are combined into one of their total.

Sources: Holt and Smith 1979 (post-stratification); Wilson 1927; Zou and Donner 2008 (combining intervals).
"""

import numpy as np

from trackside.arrays import Floats
from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.statistics.saving.prediction_powered import EstimatedMeans

FEWEST = 10
"""Fewest drawn items in all strata of an interval, unless all are drawn; fewer give no useful interval."""


def post_stratified_totals(
    sizes: Floats,
    drawn: Floats,
    relevant: Floats,
    *,
    shares: Floats,
    signs: Floats | None = None,
    level: float = 0.95,
) -> EstimatedMeans:
    """Totals of relevant items over strata, which are the first axis of all arrays.

    ``sizes`` counts all items, ``drawn`` the items that people graded, ``relevant`` the relevant ones of
    these. ``shares`` is the relevant share to use if none was drawn. ``signs`` (1 or -1 per stratum) gives
    differences of totals. There is no interval (TOO_FEW_INFORMATIVE) without items, or if fewer than `FEWEST`
    were drawn; its width is 0 only if all were.
    """
    weights = sizes if signs is None else sizes * signs.reshape(-1, *(1,) * (sizes.ndim - 1))
    share = np.divide(relevant, drawn, out=np.broadcast_to(shares, drawn.shape).copy(), where=drawn > 0)
    low, high = _wilson(share, drawn, sizes, level)
    is_added = weights >= 0
    below, above = (
        np.where(is_added, share - low, high - share),
        np.where(is_added, high - share, share - low),
    )
    estimate = (weights * share).sum(axis=0)
    ends = [np.sqrt(((weights * each) ** 2).sum(axis=0)) for each in (below, above)]
    count, whole = drawn.sum(axis=0), sizes.sum(axis=0)
    is_known = (count >= FEWEST) | ((count == whole) & (whole > 0))
    low, high = (np.where(is_known, end, np.nan) for end in (estimate - ends[0], estimate + ends[1]))
    return EstimatedMeans(
        estimate, low, high, Reason.TOO_FEW_INFORMATIVE, IntervalMethod.POST_STRATIFIED, level
    )


def _wilson(share: Floats, drawn: Floats, sizes: Floats, level: float) -> tuple[Floats, Floats]:
    """Wilson's interval with n (N - 1) / (N - n) for n; 0 to 1 if none was drawn, the share if all were."""
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    left = sizes - drawn
    n = np.divide(drawn * (sizes - 1), left, out=np.full(share.shape, np.inf), where=left > 0)
    # In terms of z squared over n, so that an infinite n gives the share itself.
    ratio = np.divide(z * z, n, out=np.full(share.shape, np.inf), where=n > 0)
    with np.errstate(invalid="ignore"):
        centre = (share + ratio / 2) / (1 + ratio)
        half = np.sqrt(ratio * share * (1 - share) + ratio**2 / 4) / (1 + ratio)
    is_blind = np.isinf(ratio)
    low, high = np.where(is_blind, 0.0, centre - half), np.where(is_blind, 1.0, centre + half)
    return np.clip(low, 0.0, share), np.clip(high, share, 1.0)
