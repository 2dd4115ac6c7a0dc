"""Select the best run of each team, because runs of one team resemble each other."""

from evaluation.core.report.study import PEOPLE, Study


def best_of_teams(study: Study, measure: int) -> tuple[str, ...]:
    """Tags of each team's best run by people, over all topics that they judged, in the order of the runs."""
    shared, means = study.shared_values(measure, PEOPLE), study.means(PEOPLE, measure)
    best: dict[str, int] = {}
    for run in shared.runs.tolist():
        team = study.teams[run]
        if team not in best or means[run] > means[best[team]]:
            best[team] = run
    return tuple(study.tags[run] for run in sorted(best.values()))
