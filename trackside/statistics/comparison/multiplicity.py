"""Multiple testing: adjusted p-values, and the significance letters that papers print beside a run."""

from collections.abc import Mapping, Sequence
from itertools import chain, islice, product
from string import ascii_lowercase
from typing import Literal

import numpy as np

from trackside.arrays import Floats

CorrectionMethod = Literal["bonferroni", "holm", "BH", "BY"]


def adjust(p_values: Sequence[float | None], method: CorrectionMethod) -> list[float | None]:
    """Adjust the p of each test, in the same order; None stays None and does not count as a test."""
    indices = [index for index, p in enumerate(p_values) if p is not None]
    p = np.array([value for value in p_values if value is not None], dtype=np.float64)
    adjusted = dict(zip(indices, adjust_all(p, method).tolist(), strict=True))
    return [adjusted.get(index) for index in range(len(p_values))]


def adjust_all(p: Floats, method: CorrectionMethod) -> Floats:
    """Adjust as `adjust` does, an array without gaps."""
    m = p.size
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, m + 1)
    match method:
        case "bonferroni":
            return np.minimum(p * m, 1.0)
        case "holm":
            stepped = np.maximum.accumulate(p[order] * (m - ranks + 1))
        case "BH" | "BY":
            price = (1 / ranks).sum() if method == "BY" else 1.0
            stepped = np.minimum.accumulate((p[order] * m / ranks * price)[::-1])[::-1]
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def letters(count: int) -> list[str]:
    """Return letters for `count` runs: a to z, then aa, ab and so on."""
    names = (product(ascii_lowercase, repeat=size) for size in range(1, count + 1))
    return list(islice(map("".join, chain.from_iterable(names)), count))


def superscripts(runs: Sequence[str], better: Mapping[tuple[str, str], bool]) -> dict[str, str]:
    """The letters of the runs, in the order of the table, that each run is significantly better than."""
    names = dict(zip(runs, letters(len(runs)), strict=True))
    beaten = {run: [names[other] for other in runs if better.get((run, other), False)] for run in runs}
    separator = "," if len(runs) > len(ascii_lowercase) else ""
    return {run: separator.join(worse) for run, worse in beaten.items()}
