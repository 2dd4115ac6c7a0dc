"""Where simulations found intervals too narrow or means biased: said beside each estimate."""

from collections.abc import Iterator

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.loop.judges import MOST_STEPS
from trackside.loop.steps import MeasureEstimate, State
from trackside.loop.targets import offered_measure

FEW, HALF = 0.4, 0.6  # shares of the universe below which these hold


def weak_spots(estimate: MeasureEstimate, state: State) -> Iterator[str]:
    """A sentence for each known weakness that this estimate has."""
    share = float((state.grades.values >= 0).mean())
    family = offered_measure(estimate.measure, state.plan.depth).family.name
    if family == "AP" and share < HALF:
        yield "95 % intervals of AP held 91 to 94 % of means and 93 to 95 % of differences."
    if family == "RR" and share < FEW:
        yield "95 % intervals of RR held as few as 83 % of differences. Grade half of the pairs first."
    if family == "nDCG" and share < FEW:
        yield "means of nDCG were up to .010 too low where topics lack the top grade; differences were not."
    if (
        family == "nDCG"
        and share < HALF
        and any(_tells_all(scores, state.grades.values) for scores in state.judges[-1])
    ):
        yield (
            "means of nDCG were up to .002 too high, a third to three quarters of the half-width, with a "
            "judge whose scores tell every grade, as here; differences were not."
        )


def _tells_all(scores: Floats, grades: Ints) -> bool:
    """Whether a judge of few scores leaves open at most a fiftieth of what the commonest grade leaves."""
    is_both = (grades >= 0) & ~np.isnan(scores)
    values, places = np.unique(scores[is_both], return_inverse=True)
    if not 1 < len(values) <= MOST_STEPS:
        return False
    counts = np.zeros((len(values), grades.max() + 1), np.int64)
    np.add.at(counts, (places, grades[is_both]), 1)
    without, left = counts.sum() - counts.sum(axis=0).max(), counts.sum() - counts.max(axis=1).sum()
    return bool(left * 50 <= without and without)
