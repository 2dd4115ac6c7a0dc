"""A line of a simulation's table, the bounds that its figures must keep, and the tables as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from trackside.arrays import Floats

COVERAGE = "coverage"


@dataclass(frozen=True)
class Row:
    """One statistic or sentence in one setting; ``figures`` are shares of tracks, or plain numbers."""

    statistic: str
    setting: str
    tracks: int
    figures: Mapping[str, float | None]
    topics: int | None = None
    runs: int | None = None


@dataclass
class Coverage:
    """Counts how often intervals were given, and how often those held the truth."""

    given: list[bool] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, low: float | None, high: float | None, truth: float) -> None:
        """Count one interval."""
        self.given.append(low is not None)
        if low is not None and high is not None:
            self.held.append(low <= truth <= high)
            self.widths.append(high - low)

    @property
    def figures(self) -> dict[str, float | None]:
        """Share of tracks with an interval, and of these that cover; median width."""
        return {
            "given": float(np.mean(self.given)),
            COVERAGE: float(np.mean(self.held)) if self.held else None,
            "width": median(self.widths) if self.widths else None,
        }


def share_held(low: Floats, high: Floats, truth: float) -> float | None:
    """Share of the intervals that are there (not NaN) and hold the truth."""
    given = ~np.isnan(low)
    if not given.any():
        return None
    return float(((low <= truth) & (truth <= high))[given].mean())


def store(path: Path, facts: Mapping[str, Any], rows: Sequence[Row]) -> None:
    """Write one part as JSON, a row a line."""
    lines = ",\n".join(json.dumps(_rounded(asdict(row))) for row in rows)
    path.write_text(json.dumps(facts)[:-1] + ', "rows": [\n' + lines + "\n]}\n")


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    figures = {name: None if value is None else round(value, 4) for name, value in row["figures"].items()}
    return {name: value for name, value in row.items() if value is not None} | {"figures": figures}
