"""Where simulations found intervals too narrow or estimates biased: said beside each estimate."""

from __future__ import annotations

from collections.abc import Iterator

from trackside.loop.steps import MeasureEstimate, State


def weak_spots(estimate: MeasureEstimate, state: State) -> Iterator[str]:
    """A sentence for each known weakness that this estimate has (see docs/simulations.md)."""
    share = (state.grades.values >= 0).mean()
    if (
        share < 1 / 3
        and len(state.universe.tags)
        and sum(weight > 0 for weight in estimate.claims.look.weights) < 2
    ):
        yield "one batch alone: the model has seen no other grades"
