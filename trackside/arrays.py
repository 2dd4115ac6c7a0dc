"""Aliases of array types, ratios, equality of arrays, and the check that two vectors can be compared."""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def ratio_or_nan(above: Floats, below: Floats) -> Floats:
    """Divide element by element; NaN where the divisor is not above 0."""
    ratios: Floats = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return ratios


def value_or_none(value: float | np.float64) -> float | None:
    """The value as a plain float; None for NaN."""
    return None if np.isnan(value) else float(value)


def paired(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Both vectors as floats. Raises ValueError if the shapes differ or a value is not finite."""
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if left.shape != right.shape:
        raise ValueError(f"vectors of {left.shape} and {right.shape} values cannot be paired")
    if not (np.isfinite(left).all() and np.isfinite(right).all()):
        raise ValueError("a value is not a finite number")
    return left, right


class EqualByContent:
    """A dataclass with arrays, equal to another with the same values; two NaN are the same."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values: Any = self
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(values))
        return all(
            np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
            if isinstance(one, np.ndarray) and isinstance(two, np.ndarray)
            else bool(one == two)
            for one, two in pairs
        )

    __hash__ = None  # type: ignore[assignment] # arrays have none
