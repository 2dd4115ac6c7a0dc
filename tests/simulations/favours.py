"""How often a report says "favours": of judges that cannot see runs, and of judges that favour a family."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.favours import find_favours
from evaluation.core.report.findings import Outcome
from tests.simulations.rows import SIZE, Row
from tests.simulations.simulated_tracks import Setting, draw_study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats

FOUND = (Outcome.FAVOURS, Outcome.DISFAVOURS)
POWER, UP_TO = "power", "up to 5 %"
MEANS = ("difference", "excess", "would show")  # points of Relative Delta
OTHER_FAMILIES = ("other families with such an excess", "other families with such excess grades")
"""Shares that a report prints, and does not call p."""

SHARES = (
    "p of the excess over topics",
    OTHER_FAMILIES[0],
    "p of excess grades over topics",
    OTHER_FAMILIES[1],
    "favours is said",
    "cannot be told is said",
)


def settings() -> Iterator[tuple[str, Setting, str]]:
    """Name, setting, and within what run-blind judges are drawn."""
    for topics in (10, 25, 50, 74):
        yield "lenient, family weaker", Setting(topics, gap=-0.3), "overall"
    weaker = Setting(gap=-0.3)
    for judge in ("good", "harsh", "noisy"):
        yield f"{judge}, family weaker", replace(weaker, judge=judge), "overall"
    yield "lenient, close runs", replace(weaker, spread=0.05, gap=0.0), "overall"
    yield "lenient, uneven over topics", replace(weaker, uneven=0.6), "overall"
    yield "lenient, uneven, drawn within topics", replace(weaker, uneven=0.6), "topic"
    yield "lenient, teams drawn at random", Setting(is_random_family=True), "overall"
    for teams in (4, 6, 16):
        yield "lenient, teams drawn at random", Setting(teams=teams, is_random_family=True), "overall"
    for favour in (0.1, 0.2, 0.4):
        for topics in (25, 50):
            yield f"favours {favour:.0%}", Setting(topics, favour=favour), "overall"


def favours(tracks: int, seed: int) -> Iterator[Row]:
    """Six rows a setting: shares of p up to 0.05 and of verdicts; mean difference and excess, in points.

    Shares are called size where the judges cannot see runs, else power; so is that of "cannot be told". How
    often at most 5 % of other families are as extreme is neither.
    """
    for name, setting, draws_by in settings():
        found = _drawn(setting, draws_by, tracks, seed)
        is_null = setting.favour == 0
        means = {key: _mean(found[:, at]) for at, key in enumerate(MEANS)}
        for at, statistic in enumerate(SHARES, start=len(MEANS)):
            is_size = is_null and statistic not in {*OTHER_FAMILIES, SHARES[-1]}
            figure = SIZE if is_size else UP_TO if statistic in OTHER_FAMILIES else POWER
            share = {figure: _mean(found[:, at])}
            given = {"given": float((~np.isnan(found[:, at])).mean())}
            described = f"{name}, {setting.teams} teams"
            yield Row(statistic, described, setting.topics, tracks, {**share, **given, **means})


def _mean(values: Floats) -> float | None:
    """The mean of those that are there; None where none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _drawn(setting: Setting, draws_by: str, tracks: int, seed: int) -> Floats:
    """Of each track: three numbers in points, then SHARES as 0 or 1; NaN where there is none."""
    rows = []
    for at in range(tracks):
        favours = find_favours(draw_study(setting, seed + at, draws_by=draws_by))
        (by_measure,) = [each for each in favours.measures if each.family == "A"]
        (items,) = [each for each in favours.items if each.family == "A" and each.p is not None]
        excess = by_measure.found.excess
        verdicts = [by_measure.verdict.outcome, items.verdict.outcome]
        rows.append(
            [
                by_measure.found.difference.value,
                excess.value.value,
                excess.shown,
                *(_is_small(each.value) for each in (excess.p_topics, excess.by_teams.p)),
                *(_is_small(each.value) for each in (items.found.p_topics, items.found.by_teams.p)),
                any(each in FOUND for each in verdicts),
                verdicts[0] is Outcome.CANNOT_TELL,
            ]
        )
    return np.array([[np.nan if cell is None else float(cell) for cell in row] for row in rows])


def _is_small(p: float | None) -> bool | None:
    return None if p is None else p <= 0.05
