"""A line of a simulation's table, and the tables as JSON and Markdown."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from evaluation.core.arrays import Floats
    from evaluation.core.statistics.estimate import Interval

COVERAGE, SIZE, SAID = "coverage", "size", "said without cause"
ASKED = {COVERAGE: (0.93, 0.97), SIZE: (0.04, 0.06), SAID: (0.0, 0.05)}
RANKS_ASKED = (0.91, 0.98)
AT_MOST = ("orders", "decisions")  # discrete tests, and several tests corrected as one family
OF_RANKS = ("ranks", "ranks-others", "ranks-real", "ranks-differences", "subsets", "teams")
ORDERS_OF_MODELS = "difference of tau among models and with people"  # rank correlations, too
SLACK = 2
"""Standard errors by which a figure may be outside its bounds: a true 97 % is above 97 % half of the time."""

OUTSIDE: dict[tuple[str, str, str], str] = {
    ("favours", "p of the excess over topics", SIZE): (
        "a judge that raises the grades of some topics and lowers those of others is not equally lenient on "
        "all topics, as run-blind judges drawn over all topics are. The report says so, and “favours” also "
        "needs the p against those drawn within topics."
    ),
}
"""Statistics with printed figures that are further outside, and why a report prints them."""

POINTS = ("difference", "excess", "would show")


@dataclass(frozen=True)
class Row:
    """One statistic in one setting. `figures` holds shares of tracks and, by other names, plain numbers."""

    statistic: str
    setting: str
    topics: int
    tracks: int
    figures: Mapping[str, float | None]
    runs: int | None = None
    is_printed: bool = True  # whether a report prints the interval or p in this setting


@dataclass
class Coverage:
    """Counts how often intervals were given, and how often those held the truth."""

    given: list[bool] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, interval: Interval, truth: float) -> None:
        """Count one interval."""
        self.given.append(interval.low is not None)
        if interval.low is not None and interval.high is not None:
            self.held.append(interval.low <= truth <= interval.high)
            self.widths.append(interval.high - interval.low)

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
    return {**row, "figures": figures}


def markdown(parts: Mapping[str, Any], notes: Mapping[str, str]) -> Iterator[str]:
    """All parts: first their summaries, then every row."""
    yield "## Summary"
    yield ""
    yield "Lowest, median and highest figure over the settings in which a report prints the statistic."
    yield ""
    yield from _table(
        ("part", "statistic", "figure", "settings", "lowest", "median", "highest", "inside the bounds"),
        (line for part in parts for line in _summary(part, parts[part]["rows"])),
    )
    if OUTSIDE:
        yield "Printed although further outside the bounds than two standard errors:"
        yield ""
        yield from (f"- {part}, {name}, {figure}: {why}" for (part, name, figure), why in OUTSIDE.items())
        yield ""
    for name, part in parts.items():
        rows = part["rows"]
        figures = list(dict.fromkeys(key for row in rows for key in row["figures"]))
        yield f"## {name}"
        yield ""
        yield notes.get(name, "")
        yield ""
        yield f"Commit `{part['commit']}`, {part['date']}, seed {part['seed']}."
        yield ""
        yield from _table(
            ("statistic", "setting", "topics", "runs", "tracks", *figures, "printed"),
            (
                (
                    row["statistic"],
                    row["setting"],
                    str(row["topics"]),
                    str(row["runs"] or ""),
                    f"{row['tracks']:,}",
                    *(_shown(key, row["figures"].get(key)) for key in figures),
                    "" if row.get("is_printed", True) else "no",
                )
                for row in rows
            ),
        )


def bounds_of(part: str, statistic: str, figure: str) -> tuple[float, float]:
    """The least and the most that are required of a figure."""
    is_of_ranks = part in OF_RANKS or statistic == ORDERS_OF_MODELS
    if part in AT_MOST and figure == SIZE:
        return 0.0, ASKED[SIZE][1]
    return RANKS_ASKED if is_of_ranks and figure == COVERAGE else ASKED[figure]


def is_far_outside(part: str, row: Mapping[str, Any], figure: str) -> bool:
    """Whether a printed figure is further outside its bounds than the number of tracks explains."""
    value, given = row["figures"].get(figure), row["figures"].get("given")
    if value is None or not row.get("is_printed", True):
        return False
    low, high = bounds_of(part, row["statistic"], figure)
    tracks = row["tracks"] * (1.0 if given is None else given)
    errors = [SLACK * (bound * (1 - bound) / tracks) ** 0.5 for bound in (low, high)]
    return not low - errors[0] <= value <= high + errors[1]


def _summary(part: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for statistic in dict.fromkeys(row["statistic"] for row in rows):
        for figure in ASKED:
            bounds = bounds_of(part, statistic, figure)
            found = [
                row["figures"].get(figure)
                for row in rows
                if row["statistic"] == statistic and row.get("is_printed", True)
            ]
            known = sorted(value for value in found if value is not None)
            if known:
                inside = sum(bounds[0] - 5e-4 <= value <= bounds[1] + 5e-4 for value in known)
                spread = (_shown(figure, value) for value in (known[0], median(known), known[-1]))
                yield (part, statistic, figure, str(len(known)), *spread, f"{inside} of {len(known)}")


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return ""
    if name in POINTS:
        return f"{value:+.1f}"
    is_plain = name in {"truth", "width", "bias", "error", "estimate"}
    return f"{value:.3f}" if is_plain else f"{100 * value:.1f} %"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""
