"""The best runs: the first, those that do not differ from it significantly, and the best of each team."""

from collections.abc import Sequence
from dataclasses import dataclass

from trackside.arrays import Floats
from trackside.findings.order import ALPHA
from trackside.findings.shared_values import means_of
from trackside.reporting.study import PEOPLE, Study
from trackside.statistics.comparison.multiplicity import paired_t_tests
from trackside.statistics.ranks import TIE


@dataclass(frozen=True, slots=True)
class LeadingRuns:
    """Indices of the best runs and of those not significantly worse; untested below two topics or runs."""

    first: tuple[int, ...]
    not_worse: tuple[int, ...]
    is_tested: bool

    @property
    def group(self) -> frozenset[int]:
        """All of these runs."""
        return frozenset(self.first + self.not_worse)


def best_runs(values: Floats, tags: Sequence[str]) -> LeadingRuns:
    """Find the best of the runs by values [run, topic]: paired t over topics, Holm over all pairs."""
    means = means_of(values)
    order = sorted(range(len(tags)), key=lambda run: (-means[run], tags[run].encode()))
    first = sorted(
        (run for run in order if means[run] >= means.max() - TIE), key=lambda run: tags[run].encode()
    )
    tests = paired_t_tests(values)
    pairs = zip(*tests.pairs, tests.is_significant(ALPHA), strict=True)
    different = {frozenset((one, two)) for one, two, is_different in pairs if is_different}
    not_worse = (run for run in order if run not in first and frozenset((first[0], run)) not in different)
    return LeadingRuns(tuple(first), tuple(not_worse), not tests.is_undefined)


def best_of_teams(study: Study, measure: int) -> tuple[str, ...]:
    """Tags of each team's best run by people, in the order of the runs."""
    shared, means = study.shared_values(measure, PEOPLE), study.means(PEOPLE, measure)
    best: dict[str, int] = {}
    for run in shared.runs.tolist():
        team = study.teams[run]
        if team not in best or means[run] > means[best[team]]:
            best[team] = run
    return tuple(study.tags[run] for run in sorted(best.values()))
