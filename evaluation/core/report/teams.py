"""Runs of one team resemble each other: the one that stands for its team."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.arrays import Ints
    from evaluation.core.report.study import Shared, Study


def best_of_teams(study: Study, shared: Shared, measure: int) -> Ints:
    """Places in ``shared.runs`` of each team's best run by people; a run without a team stands for itself."""
    if not shared.runs.size:
        return np.empty(0, np.int64)
    means = study.means(PEOPLE, measure)[shared.runs]
    best: dict[str, int] = {}
    for place, run in enumerate(shared.runs.tolist()):
        team = study.runs[run].team or study.runs[run].tag
        if team not in best or means[place] > means[best[team]]:
            best[team] = place
    return np.array(sorted(best.values()), dtype=np.int64)
