"""Coverage for tau of runs and topics that a report chooses by the same values: best runs, hard topics.

Estimand: for each team's best runs, the tau of these runs expected on equally many other topics. For thirds
of the topics by difficulty, the tau expected on the same third of another track.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.resampled import sampled
from evaluation.core.report.sections.ranking.strata import DIFFICULTY, THIRDS, divisions
from evaluation.core.report.shared_values import Shared
from evaluation.core.report.study import PEOPLE
from evaluation.core.report.teams import best_of_teams
from evaluation.core.statistics.correlation.rows import COEFFICIENTS
from tests.simulations.rows import Coverage, Row
from tests.simulations.simulated_tracks import Setting, draw_population

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.estimate import Interval

PARTS = 25  # tracks of one population
TOPICS = (25, 50)  # thirds of 25 topics are too few for an interval
JUDGE = 1
BEST = {"tau": "tau of each team's best run", "r": "r of each team's best run"}
AGAIN = "tau of a judge asked again"
THIRDS_OF_TOPICS = {third: f"tau, {third} third of the topics" for third in THIRDS}
STATISTICS = (*BEST.values(), *THIRDS_OF_TOPICS.values(), AGAIN)


@dataclass
class _Found:
    """A track's interval, its value, and, for chosen runs, what they are on other tracks."""

    interval: Interval
    value: float
    coefficient: str
    runs: Ints | None = None


@dataclass
class _Population:
    tracks: list[dict[str, _Found]] = field(default_factory=list)
    means: list[Floats] = field(default_factory=list)  # [people and judge, run] of each track

    def truth(self, at: int, statistic: str) -> float:
        """The mean over the other tracks: of their own value, or of that of this track's runs."""
        found, runs = self.tracks[at][statistic], self.tracks[at][statistic].runs
        others = [place for place in range(len(self.tracks)) if place != at]
        if runs is None:
            return float(np.mean([self.tracks[place][statistic].value for place in others]))
        rows = np.array([self.means[place][:, runs] for place in others])
        return float(np.nanmean(COEFFICIENTS[found.coefficient](rows[:, 0], rows[:, 1])))


def subsets(tracks: int, seed: int) -> Iterator[Row]:
    """One row a statistic, judge and number of topics."""
    for judge in ("lenient", "noisy"):
        for topics in TOPICS:
            counts = {statistic: Coverage() for statistic in STATISTICS}
            for at in range(tracks // PARTS):
                drawn = _drawn(Setting(topics, judge=judge), seed, at)
                for place, track in enumerate(drawn.tracks):
                    for statistic, found in track.items():
                        counts[statistic].add(found.interval, drawn.truth(place, statistic))
            for statistic, each in counts.items():
                if any(each.given):
                    is_printed = statistic == AGAIN
                    yield Row(statistic, judge, topics, len(each.given), each.figures, is_printed=is_printed)


def _drawn(setting: Setting, seed: int, at: int) -> _Population:
    rng = np.random.default_rng([seed, at])
    population = draw_population(replace(setting, topics=setting.topics * PARTS), rng, judges=2)
    found = _Population()
    for part in np.arange(setting.topics * PARTS).reshape(PARTS, setting.topics):
        study = population.study(part, seed=seed + at, replicates=500)
        shared = study.shared_values(0, PEOPLE, JUDGE)
        found.means.append(shared.means())
        found.tracks.append(dict(_taus(study, shared)))
    return found


def _taus(study: Study, shared: Shared) -> Iterator[tuple[str, _Found]]:
    best = best_of_teams(study, shared, 0)
    runs = Shared(shared.runs[best], shared.topics, shared.values[:, best])
    for coefficient, name in BEST.items():
        yield from _found(name, study, runs, best, coefficient)
    for third, members in divisions(study)[DIFFICULTY].items():
        own = study.shared_values(0, PEOPLE, JUDGE, topics=members)
        yield from _found(THIRDS_OF_TOPICS[third], study, own, None)
    yield from _found(AGAIN, study, study.shared_values(0, JUDGE, JUDGE + 1), None)


def _found(
    name: str, study: Study, shared: Shared, runs: Ints | None, coefficient: str = "tau"
) -> Iterator[tuple[str, _Found]]:
    number = sampled(study, coefficient, shared).number
    if number.value is not None and number.interval is not None:
        yield name, _Found(number.interval, number.value, coefficient, runs)
