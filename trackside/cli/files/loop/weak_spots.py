"""Where simulations found intervals too narrow or means biased: said beside each estimate."""

from collections.abc import Iterator

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
    if family == "nDCG" and share < HALF:
        low = "up to .010 too low where topics lack the top grade, and " if share < FEW else ""
        yield (
            f"means of nDCG were {low}.002 too high, {'a third' if low else 'two thirds'} of the half-width, "
            "with a judge that is always right; differences were not."
        )
