"""Ranks of the runs under people and each judge, as figures show them, and the finding of such a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.focus import classes_of, well_covered
from evaluation.core.statistics.ranks import run_ranks

if TYPE_CHECKING:
    from evaluation.core.report.study import Study

LEAST_SHIFT = 0.05  # places; less is shown as 0.0


@dataclass(frozen=True)
class RankColumns:
    """Rank of each run under each set of qrels, of the runs with a mean under all of them."""

    tags: list[str]
    ranks: dict[str, dict[str, int]]
    series: list[str]
    named: list[str]
    """Names of the judges that titles may name."""

    def focus(self, study: Study, family: str) -> frozenset[str]:
        """Tags of the family's runs."""
        return frozenset(run.tag for run in study.runs if family and family in run.families)

    def title(self, study: Study, family: str) -> str:
        """Say which judge moves the family's runs most, or all runs if there is no family."""
        if not self.tags or not self.named:
            return "Ranks of the runs under people and each judge"
        own = self.focus(study, family) & set(self.tags)
        if not own:
            moved = {name: float(np.abs([*self._gains(name).values()]).mean()) for name in self.named}
            name = max(moved, key=moved.__getitem__)
            return f"{name} moves a run by {moved[name]:.1f} places on average"
        gains = {name: float(np.mean([self._gains(name)[tag] for tag in own])) for name in self.named}
        name = max(gains, key=lambda each: abs(gains[each]))
        if abs(gains[name]) < LEAST_SHIFT:
            return f"On average no judge moves {family} runs"
        verb = "rise" if gains[name] > 0 else "fall"
        return f"Under {name} {family} runs {verb} by {abs(gains[name]):.1f} places on average"

    def _gains(self, name: str) -> dict[str, int]:
        people = next(iter(self.ranks.values()))
        return {tag: people[tag] - self.ranks[name][tag] for tag in self.tags}


def rank_columns(study: Study, at: int) -> RankColumns:
    """Rank the runs by the mean of a measure under each set of qrels."""
    means = np.array([study.means(place, at) for place in range(len(study.sets))])
    missing = np.isnan(means).any(axis=0)
    tags = [tag for tag, is_missing in zip(study.tags, missing, strict=True) if not is_missing]
    ranks = {
        study.name(place): run_ranks({tag: row[study.tags.index(tag)] for tag in tags})
        for place, row in enumerate(means)
    }
    named = [study.name(place) for place in well_covered(study)]
    return RankColumns(tags, ranks, classes_of(study), named)
