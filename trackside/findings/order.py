"""Does the judge order these runs as people do, also those of other teams, and which are the best?

The runs are fixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats, Ints, value_or_none
from trackside.findings.results import OrderFinding, OtherRuns, RunPairs
from trackside.findings.retrieved import means_of
from trackside.findings.verdicts import Margins, OrderVerdict
from trackside.statistics.comparison.multiplicity import paired_t_tests
from trackside.statistics.correlation import kendall_tau_b_of_rows, pearson_of_rows, spearman_of_rows
from trackside.statistics.estimate import Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.intervals import FEWEST_TOPICS
from trackside.uncertainty.ranks import rank_interval, sampled_means, team_interval

FEWEST_RUNS = 2  # tau of two runs is 1 or -1, and has no interval
ALPHA = 0.05  # of two runs whose difference is significant, p corrected by Holm


def order_finding(
    measure: str,
    people: Floats,
    judge: Floats,
    *,
    teams: Sequence[str],
    counts: Ints,
    margins: Margins,
) -> OrderFinding:
    """Compare the orders of the runs by two tables of values [run, topic] on the shared pairs.

    ``counts`` [resample, topic] are the draws of each topic, the same ones for all judges of as many topics.
    ``teams`` are those of the runs, empty if no run has one.
    """
    runs, topics = people.shape
    means = [means_of(values)[None] for values in (people, judge)]
    reason = None if topics else Reason.NO_SHARED_TOPIC
    if topics and (runs < 2 or min(map(np.ptp, means)) < TIE):
        reason = Reason.ONE_RUN if runs < 2 else Reason.ALL_RUNS_EQUAL
    tau, rho, r = (
        None if reason else value_or_none(statistic(*means)[0])
        for statistic in (kendall_tau_b_of_rows, spearman_of_rows, pearson_of_rows)
    )
    low, high, why = _interval(tau, people, judge, counts, reason)
    return OrderFinding(
        measure=measure,
        run_count=runs,
        topic_count=topics,
        tau=tau,
        low=low,
        high=high,
        rho=rho,
        r=r,
        pairs=_run_pairs(people, judge),
        other_runs=_other_runs(tau, *means, teams=teams, reason=reason),
        verdict=_verdict(low, high, margins),
        reason=why,
    )


def _interval(
    tau: float | None, people: Floats, judge: Floats, counts: Ints, reason: Reason | None
) -> tuple[float | None, float | None, Reason | None]:
    """Ends of tau's interval and their reason; equal ends if no resample differs."""
    topics = people.shape[1]
    if tau is None or topics < FEWEST_TOPICS:
        return None, None, reason or Reason.TOO_FEW_TOPICS
    if len(people) == FEWEST_RUNS:
        return None, None, Reason.TWO_RUNS
    means = [sampled_means(values, counts) for values in (people, judge)]
    interval = rank_interval(tau, kendall_tau_b_of_rows(*means), topics)
    if interval.reason is Reason.NO_VARIATION:
        return tau, tau, Reason.SAME_IN_EVERY_RESAMPLE
    return interval.low, interval.high, interval.reason


def _verdict(low: float | None, high: float | None, margins: Margins) -> OrderVerdict:
    if low is None or high is None:
        return OrderVerdict.UNDEFINED
    if low >= margins.order:
        return OrderVerdict.ALMOST
    if low > 0:
        return OrderVerdict.DIFFERENCES
    return OrderVerdict.REVERSE if high < 0 else OrderVerdict.NO_RELATION


def _run_pairs(people: Floats, judge: Floats) -> RunPairs | None:
    """Compare the significant pairs of runs by people and by the judge; None below two topics or runs."""
    if min(people.shape) < 2:
        return None
    by_people, by_judge = paired_t_tests(people), paired_t_tests(judge)
    is_by_people, is_by_judge = by_people.is_significant(ALPHA), by_judge.is_significant(ALPHA)
    signs = np.sign(by_people.differences) * np.sign(by_judge.differences)
    is_alike, is_opposed = signs > 0, signs < 0

    def count(flags: Flags) -> int:
        return int(flags.sum())

    return RunPairs(
        told=count(is_by_people),
        kept=count(is_by_people & is_by_judge & is_alike),
        reversed=count(is_by_people & is_by_judge & ~is_alike),
        missed=count(is_by_people & ~is_by_judge),
        added=count(~is_by_people & is_by_judge),
        leaning=count(is_by_people & ~is_by_judge & is_opposed),
    )


def _other_runs(
    tau: float | None, people: Floats, judge: Floats, *, teams: Sequence[str], reason: Reason | None
) -> OtherRuns:
    """The jackknife over teams; means have the shape (1, runs). ``reason`` is why tau is undefined."""
    of_run = np.array(teams)
    names = np.unique(of_run)
    if not teams:
        return OtherRuns(team_count=0, reason=Reason.TEAMS_NOT_DECLARED)
    if tau is None:
        return OtherRuns(team_count=names.size, reason=reason)
    left_out = np.array(
        [kendall_tau_b_of_rows(people[:, of_run != name], judge[:, of_run != name])[0] for name in names]
    )
    interval = team_interval(tau, left_out)
    return OtherRuns(team_count=names.size, low=interval.low, high=interval.high, reason=interval.reason)


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
