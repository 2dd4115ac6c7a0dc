"""Where simulations found intervals too narrow or means biased: said beside each estimate."""

from collections.abc import Iterator

from trackside.loop.steps import MeasureEstimate, State
from trackside.loop.targets import offered_measure

FEW = 0.4  # share of the universe below which these hold


def weak_spots(estimate: MeasureEstimate, state: State) -> Iterator[str]:
    """A sentence for each known weakness that this estimate has."""
    share = float((state.grades.values >= 0).mean())
    family = offered_measure(estimate.measure, state.plan.depth).family.name
    if family == "AP" and share < FEW:
        yield "95 % intervals of AP held 92 to 94 % of means and 93 to 95 % of differences."
    if family == "RR" and share < FEW:
        yield "95 % intervals of RR held as few as 82 % of differences. Grade half of the pairs first."
    if family == "nDCG" and share < FEW:
        yield (
            "means of nDCG were up to .010 too low where topics lack the top grade, and .002 too high, a "
            "third of the half-width, with a judge that is always right; differences were not."
        )
