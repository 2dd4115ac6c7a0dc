"""A family of runs against the other runs: a number, with its tests over topics and over teams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Flags, Floats
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.families.team_permutation import team_arrangements
from evaluation.core.statistics.permutation import Arrangements, PermutationTest, two_sided
from evaluation.core.uncertainty import LEVEL, jackknife_difference

POWER = 0.8
MOST_SHOWN = 200.0  # the largest possible Relative Delta, in per cent
MOST_TRIED = 5_000  # arrangements used to compute the power


@dataclass(frozen=True, slots=True)
class Contrast:
    """A number that compares a family with the other runs, and its tests.

    ``interval`` and ``p_topics`` refer to new topics of this kind, ``by_teams`` to other families of whole
    teams. ``p`` is the larger of both p, because a claim needs both. ``shown`` is the smallest effect that is
    found in at least 80 of 100 cases; None if no effect is.
    """

    value: Estimate
    interval: Interval
    p_topics: Estimate
    by_teams: PermutationTest
    shown: float | None

    @property
    def p(self) -> Estimate:
        """The larger of the two p; undefined if either is."""
        return _larger(self.p_topics, self.by_teams.p)

    def cannot_tell(self, alpha: float) -> bool:
        """Whether no result could be significant with this number of topics and teams."""
        least = self.by_teams.smallest
        return self.p_topics.value is None or least is None or least > alpha


def mean_contrast(
    values: Floats, shifts: Floats, in_family: Flags, teams: Sequence[str], *, seed: int, alpha: float = 0.05
) -> Contrast:
    """Compare the mean of the family's runs with that of the others, for any values [run, topic].

    A run's mean is over the topics on which it has a value (NaN elsewhere); each run needs at least one.
    ``shifts`` [run, topic] is the change of the run's values on all other topics if the topic is left out.
    """
    if in_family.all() or not in_family.any():
        return undefined_contrast(Estimate.undefined(Reason.EMPTY_FAMILY))
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    sums, counts = filled.sum(axis=1, keepdims=True), known.sum(axis=1, keepdims=True)
    means = (sums / counts)[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        without = (sums - filled) / (counts - known) + shifts
    left_out = without[in_family].mean(axis=0) - without[~in_family].mean(axis=0)
    arrangements = team_arrangements(in_family, teams, seed=seed)
    inside = arrangements.rows.sum(axis=1)
    within = arrangements.rows @ means
    others = within / inside - (means.sum() - within) / (means.size - inside)
    value = float(means[in_family].mean() - means[~in_family].mean())
    return contrast(value, left_out, in_family, arrangements, others, alpha=alpha)


def contrast(
    value: float,
    left_out: Floats,
    in_family: Flags,
    arrangements: Arrangements,
    others: Floats,
    *,
    alpha: float,
) -> Contrast:
    """Build a contrast from its value, the values without each topic, and those of other team families."""
    found = Estimate.of(value)
    test = two_sided(value, others, arrangements.seed)
    by_topics = jackknife_difference(found, left_out, freedom="topics")
    interval = by_topics.interval
    shown = None
    if test.smallest is not None and test.smallest <= alpha and interval.high is not None:
        likeness = _likeness(arrangements.rows[:MOST_TRIED], in_family)
        shown = _shown(value, interval.high - value, others[:MOST_TRIED], likeness, alpha)
    return Contrast(found, interval, by_topics.p, test, shown)


def undefined_contrast(why: Estimate) -> Contrast:
    """Return the contrast of an undefined value, with its reason."""
    reason = why.reason or Reason.EMPTY
    nothing = Interval.undefined(reason, LEVEL)
    return Contrast(why, nothing, Estimate.undefined(reason), PermutationTest.undefined(why), None)


def _larger(one: Estimate, two: Estimate) -> Estimate:
    if one.value is None or two.value is None:
        return one if one.value is None else two
    return Estimate.of(max(one.value, two.value))


def _likeness(rows: Flags, in_family: Flags) -> Floats:
    """Share of a favour to the family that each other family would show: 1 for itself, 0 for a random one."""
    inside = rows.sum(axis=1)
    shared = rows @ in_family.astype(np.float64)
    likeness: Floats = shared / inside - (in_family.sum() - shared) / (in_family.size - inside)
    return likeness


def _shown(value: float, half_width: float, others: Floats, likeness: Floats, alpha: float) -> float | None:
    """The smallest favour that is found in at least 80 of 100 cases; None if no favour up to 200 is.

    Assumes normal noise. Its spread is the larger of that of other families after subtracting the found
    favour and that over topics.
    """
    from scipy.special import ndtr, ndtri

    noise = others - value * likeness
    spread = max(float(noise.std()), half_width / float(ndtri((1 + LEVEL) / 2)))
    place = max(0, int(np.ceil((1 - alpha) * others.size)) - 1)

    def is_found(size: float) -> bool:
        bound = max(half_width, float(np.partition(np.abs(noise + size * likeness), place)[place]))
        return float(ndtr((size - bound) / spread) if spread else size >= bound) >= POWER

    if not is_found(MOST_SHOWN):
        return None
    low, high = 0.0, MOST_SHOWN
    while high - low > high / 200:
        middle = (low + high) / 2
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high
