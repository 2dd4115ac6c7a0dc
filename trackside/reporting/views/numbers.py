"""Numbers, intervals and reasons in sentences."""

from collections.abc import Sequence

from trackside.reporting.tables import MINUS
from trackside.statistics.estimate import Reason

MOST_DECIMALS = 4


def coefficient(value: float) -> str:
    """A tau or kappa, such as "0.47" or "−0.02"; a value that rounds to zero has no sign."""
    return f"{value:z.2f}".replace("-", MINUS)


def points(*values: float) -> list[str]:
    """Points of Relative Delta without a sign, in equal decimals: as few as keep each from reading 0."""
    sizes = [abs(value) for value in values]
    decimals = _decimals(sizes, 0 if max(sizes) >= 10 else 1)
    return [f"{size:.{decimals}f}" for size in sizes]


def signed(*values: float) -> list[str]:
    """Points with their sign, such as "+7.6", in equal decimals that keep each from reading 0."""
    decimals = _decimals(values, 1)
    return [f"{value:+z.{decimals}f}".replace("-", MINUS) for value in values]


def _decimals(values: Sequence[float], fewest: int) -> int:
    decimals = fewest
    while decimals < MOST_DECIMALS and any(0 < abs(value) < 0.5 * 10**-decimals for value in values):
        decimals += 1
    return decimals


def between(low: float, high: float) -> str:
    """The ends of an interval of points, such as "between 7 points below and 5 above"."""
    ends = points(low, high)
    sides = ["below" if end < 0 else "above" for end in (low, high)]
    return f"between {ends[0]} points {sides[0]} and {ends[1]} {sides[1]}"


def p_value(p: float) -> str:
    """A p with its sign of relation: "p = 0.004", "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def why(reason: Reason | None) -> str:
    """The words of a reason."""
    return reason.words if reason else "undefined"


def listed(names: Sequence[str]) -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
