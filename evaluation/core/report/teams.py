"""Select the best run of each team, because runs of one team resemble each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.arrays import Ints
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study


def best_of_teams(study: Study, shared: Shared, measure: int) -> Ints:
    """Indices into ``shared.runs`` of each team's best run by people; a run without a team is its own."""
    if not shared.runs.size:
        return np.empty(0, np.int64)
    means = study.means(PEOPLE, measure)[shared.runs]
    best: dict[str, int] = {}
    for place, run in enumerate(shared.runs.tolist()):
        team = study.runs[run].team or study.runs[run].tag
        if team not in best or means[place] > means[best[team]]:
            best[team] = place
    return np.array(sorted(best.values()), dtype=np.int64)


def best_tags(study: Study) -> dict[str, list[str]]:
    """Tags of each team's best run by people for each measure, over all topics that people judged."""
    return {
        measure: [
            study.tags[shared.runs[place]]
            for shared in (study.shared_values(at, PEOPLE),)
            for place in best_of_teams(study, shared, at)
        ]
        for at, measure in enumerate(study.measures)
    }
