"""Differences between two leaderboards: the first run, the top k, and how far runs move.

Leaderboards map run tags to values; both have the same runs. Equal values are ordered by run tag.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.references.correlation import kendall_tau_b
from trackside.statistics.estimate import Estimate, Reason
from trackside.statistics.ranks import run_ranks


@dataclass(frozen=True, slots=True)
class RankChanges:
    """Ranks under both leaderboards; a drop is a larger rank number under the second.

    `largest_drop` is Voorhees et al.'s (2022) measure.
    """

    before: dict[str, int]
    after: dict[str, int]

    @property
    def changes(self) -> dict[str, int]:
        """Number of ranks that each run drops (above 0) or rises (below 0)."""
        return {tag: self.after[tag] - rank for tag, rank in self.before.items()}

    @property
    def largest_drop(self) -> int:
        """Largest number of ranks that a run drops; 0 if none does."""
        return max((0, *self.changes.values()))

    @property
    def largest_rise(self) -> int:
        """Largest number of ranks that a run rises; 0 if none does."""
        return max(0, -min((0, *self.changes.values())))

    @property
    def mean_change(self) -> Estimate:
        """Mean number of ranks that a run moves, up or down; undefined without runs."""
        if not self.before:
            return Estimate.undefined(Reason.EMPTY)
        return Estimate.of(sum(map(abs, self.changes.values())) / len(self.before))

    @property
    def has_same_first(self) -> bool:
        """Whether the same run is first under both."""
        return self.top_overlap(1).value == 1.0

    def top_overlap(self, k: int) -> Estimate:
        """Share of the first k runs (or of all, if fewer) in both top k; undefined without runs."""
        size = min(k, len(self.before))
        if not size:
            return Estimate.undefined(Reason.EMPTY)
        tops = [{tag for tag, rank in ranks.items() if rank <= k} for ranks in (self.before, self.after)]
        return Estimate.of(len(tops[0] & tops[1]) / size)


def rank_changes(before: Mapping[str, float], after: Mapping[str, float]) -> RankChanges:
    """Rank the runs of both leaderboards. Raises ValueError if they do not have the same runs."""
    if before.keys() != after.keys():
        raise ValueError("the two leaderboards do not hold the same runs")
    return RankChanges(run_ranks(before), run_ranks(after))


def tau_within_top(before: Mapping[str, float], after: Mapping[str, float], k: int) -> Estimate:
    """Kendall's tau-b over the first k runs of the first leaderboard; undefined as tau-b is."""
    top = [tag for tag, rank in run_ranks(before).items() if rank <= k]
    return kendall_tau_b([before[tag] for tag in top], [after[tag] for tag in top])
