"""How often a report says "favours": of judges that cannot see runs, and of judges that favour a family."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from evaluation.core.report.favour.favours import FOUND, find_favours
from evaluation.core.report.favour.reversal import CONDITIONAL

from evaluation.core.report.tables import ConclusionCode
from tests.simulations.rows import SAID, SIZE, Row
from tests.simulations.simulated_tracks import Setting, draw_study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.favour.favours import Favours

    from evaluation.core.arrays import Floats

POWER, UP_TO, IF_PEOPLE_ERR = "power", "up to 5 %", "said with the condition"
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
CLAIMS = ("favours is said", "favours, unless people err, is said")
POOLED_ITEMS = "p of excess grades of all pooled results over topics"


def settings() -> Iterator[tuple[str, Setting, str]]:
    """Name, setting, and whether run-blind judges are drawn overall or by topic."""
    for topics in (10, 25, 50, 74):
        yield "lenient, family weaker", Setting(topics, gap=-0.3), "overall"
    weaker = Setting(gap=-0.3)
    for judge in ("good", "harsh", "noisy"):
        yield f"{judge}, family weaker", replace(weaker, judge=judge), "overall"
    yield "lenient, close runs", replace(weaker, spread=0.05, gap=0.0), "overall"
    yield "lenient, uneven over topics", replace(weaker, uneven=0.6), "overall"
    yield "lenient, uneven, drawn within topics", replace(weaker, uneven=0.6), "topic"
    for judges in (("lenient", "harsh"), ("one more", "one less")):
        changing = replace(weaker, judge=judges[0], other_judge=judges[1])
        yield f"{judges[0]} or {judges[1]} by topic, family weaker", changing, "overall"
    yield "lenient, teams drawn at random", Setting(is_random_family=True), "overall"
    for teams in (4, 6, 16):
        yield "lenient, teams drawn at random", Setting(teams=teams, is_random_family=True), "overall"
    for favour in (0.1, 0.2, 0.4):
        for topics in (25, 50):
            yield f"favours {favour:.0%}", Setting(topics, favour=favour), "overall"


def favours(tracks: int, seed: int) -> Iterator[Row]:
    """Rows of a setting: shares of p up to 0.05 and of verdicts; mean difference and excess, in points.

    If judges cannot see runs, the share of p is called size, and that of "favours" is called said without
    cause; else both are power, and so is that of "cannot be told". The share of tracks in which at most 5 %
    of other families are as extreme is neither.
    """
    for name, setting, draws_by in settings():
        found = _drawn(setting, draws_by, tracks, seed)
        means = {key: _mean(found[:, at]) for at, key in enumerate(MEANS)}
        for at, statistic in enumerate(SHARES, start=len(MEANS)):
            share = {figure_of(statistic, is_null=setting.favour == 0): _mean(found[:, at])}
            given = {"given": float((~np.isnan(found[:, at])).mean())}
            described = f"{name}, {setting.teams} teams"
            yield Row(statistic, described, setting.topics, tracks, {**share, **given, **means})


def people_err(tracks: int, seed: int) -> Iterator[Row]:
    """How often "favours" is said of judges that see true grades where people err, and of a true favour.

    Said with the condition that people do not err, it is not without cause.
    """
    for name, setting in (
        ("right, people err, family weaker", Setting(gap=-0.3, judge="right", assessor="good")),
        ("good, people err, family better", Setting(gap=0.3, judge="good", assessor="good")),
        ("favours 20%, family as good", Setting(favour=0.2)),
        ("favours 20%, family weaker", Setting(favour=0.2, gap=-0.3)),
        ("favours 20%, family better", Setting(favour=0.2, gap=0.3)),
    ):
        found = [outcomes_of(find_favours(draw_study(setting, seed + at))) for at in range(tracks)]
        for at, claims in enumerate((set(CONDITIONAL), set(CONDITIONAL.values()))):
            share = sum(not claims.isdisjoint(each) for each in found) / tracks
            figure = IF_PEOPLE_ERR if at else POWER if setting.favour else SAID
            yield Row(CLAIMS[at], f"{name}, {setting.teams} teams", setting.topics, tracks, {figure: share})


def few_teams(tracks: int, seed: int) -> Iterator[Row]:
    """Families of one team, as runs related to a judge often are, and the excess grades of pooled results.

    Nothing is declared or said of these; both p are exploratory.
    """
    for setting in (Setting(25, members=1), Setting(50, members=1, judge="noisy")):
        found = []
        for at in range(tracks):
            favours = find_favours(draw_study(setting, seed + at))
            (excess,) = [each.found.excess for each in favours.measures if each.family == "A"]
            items = [each.found for each in favours.items if each.family == "A"]
            found.append([_is_small(each.p_topics.value) for each in (excess, *items)])
        for name, share in zip(
            (SHARES[0], SHARES[2], POOLED_ITEMS), np.array(found, np.float64).T, strict=True
        ):
            yield Row(name, f"{setting.judge}, one of 9 teams", setting.topics, tracks, {SIZE: _mean(share)})


def figure_of(statistic: str, *, is_null: bool) -> str:
    """The kind of a share: size of a p, "favours" said without cause, or none of these."""
    if statistic in OTHER_FAMILIES:
        return UP_TO
    if not is_null or statistic == SHARES[-1]:
        return POWER
    return SAID if statistic == SHARES[-2] else SIZE


def _mean(values: Floats) -> float | None:
    """The mean of the defined values; None if there is none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _drawn(setting: Setting, draws_by: str, tracks: int, seed: int) -> Floats:
    """For each track three numbers in points, then SHARES as 0 or 1; NaN if undefined."""
    rows = []
    for at in range(tracks):
        favours = find_favours(draw_study(setting, seed + at, draws_by=draws_by))
        rows.append([*_points(favours), *verdicts_of(favours)])
    return np.array(rows, dtype=np.float64)


def _points(favours: Favours) -> list[float | None]:
    """MEANS of family "A" by the first measure."""
    found = next(each.found for each in favours.measures if each.family == "A")
    return [found.difference.value, found.excess.value.value, found.excess.shown]


def verdicts_of(favours: Favours) -> list[float | None]:
    """SHARES of family "A": p by the first measure, "favours" by any test; None if undefined."""
    by_measure = [each for each in favours.measures if each.family == "A"]
    (items,) = [each for each in favours.items if each.family == "A" and each.p is not None]
    excess = by_measure[0].found.excess
    return [
        *(_is_small(each.value) for each in (excess.p_topics, excess.by_teams.p)),
        *(_is_small(each.value) for each in (items.found.p_topics, items.found.by_teams.p)),
        float(any(each in FOUND for each in outcomes_of(favours))),
        float(by_measure[0].verdict.outcome is ConclusionCode.CANNOT_TELL),
    ]


def outcomes_of(favours: Favours) -> list[ConclusionCode]:
    """The outcomes of all declared hypotheses on family "A"."""
    verdicts = [(each.family, each.verdict) for each in favours.measures]
    verdicts += [(each.family, each.verdict) for each in favours.items if each.p is not None]
    return [verdict.outcome for family, verdict in verdicts if family == "A"]


def _is_small(p: float | None) -> float | None:
    return None if p is None else float(p <= 0.05)
