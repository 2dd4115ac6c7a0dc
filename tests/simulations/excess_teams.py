"""Coverage for the excess of a family over run-blind judges on other topics and with other teams.

A judge that cannot see runs has an excess of 0 for each team, so that teams do not differ at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.favour.run_blind import favour_of, run_blind
from evaluation.core.report.study import PEOPLE
from tests.simulations.rows import Coverage, Row
from tests.simulations.simulated_tracks import Setting, draw_study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.statistics.families.favour import Favour

EXCESS = "excess with other topics and teams"
JUDGE = 1


def settings() -> Iterator[tuple[str, Setting]]:
    """Half of 16 teams are in the family, or 8 of 24."""
    for topics in (10, 25, 50):
        yield "lenient, teams drawn at random", Setting(topics, teams=16, is_random_family=True)
    yield "lenient, 8 of the teams drawn at random", Setting(teams=24, is_random_family=True, members=8)
    yield "noisy, family weaker", Setting(teams=16, gap=-0.3, judge="noisy")
    yield "favours 40%", Setting(teams=16, favour=0.4)


def excess_teams(tracks: int, seed: int) -> Iterator[Row]:
    """One row a setting. The truth is 0; if the judge favours the family, it is the mean over the tracks."""
    for name, setting in settings():
        found = [_favour(setting, seed + at) for at in range(tracks)]
        values = [each.excess.value.value for each in found]
        truth = float(np.mean(np.array(values, dtype=np.float64))) if setting.favour else 0.0
        coverage = Coverage()
        for each in found:
            coverage.add(each.crossed, truth)
        described = f"{name}, {setting.teams} teams"
        figures = {"truth": truth, **coverage.figures}
        yield Row(EXCESS, described, setting.topics, tracks, figures)


def _favour(setting: Setting, seed: int) -> Favour:
    """The judge's favour to family "A"."""
    study = draw_study(setting, seed)
    shared = study.shared_values(0, PEOPLE, JUDGE)
    return favour_of(study, run_blind(study, JUDGE), shared, 0, study.in_family("A")[shared.runs])
