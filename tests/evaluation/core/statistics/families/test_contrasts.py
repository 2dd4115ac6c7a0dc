from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.families.contrasts import (
    Contrast,
    contrast,
    mean_contrast,
    undefined_contrast,
)
from evaluation.core.statistics.families.team_permutation import team_arrangements
from evaluation.core.statistics.permutation import PermutationTest

RUNS, TOPICS = 8, 20
TEAMS = [f"team {run}" for run in range(RUNS)]
IN_FAMILY = np.array([True, True, False, False, False, False, False, False])
SIGNS = np.where(np.arange(TOPICS) % 2, 1.0, -1.0)
STILL = np.zeros((RUNS, TOPICS))  # no topic changes a value on the others


def noise(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(RUNS, TOPICS))


def two_p(topics: Estimate, teams: Estimate, smallest: float | None = 0.01) -> Contrast:
    test = PermutationTest(teams, 100, None, smallest)
    return Contrast(Estimate.of(1.0), Interval(0.0, 2.0, 0.95), topics, test, None)


def test_value_is_the_difference_of_means() -> None:
    values = noise()
    found = mean_contrast(values, STILL, IN_FAMILY, TEAMS, seed=1)
    means = values.mean(axis=1)
    assert found.value.value == pytest.approx(means[:2].mean() - means[2:].mean())


def test_test_over_topics_is_the_t_test_of_one_sample() -> None:
    """Without gaps the difference is a mean over topics, whose jackknife is the t test.

    All topics differ from the mean by the same amount, so the test has all degrees of freedom.
    """
    values = np.outer(IN_FAMILY, 0.5 + SIGNS) + np.arange(float(RUNS))[:, None] / 10
    found = mean_contrast(values, STILL, IN_FAMILY, TEAMS, seed=1)
    by_topic = values[IN_FAMILY].mean(axis=0) - values[~IN_FAMILY].mean(axis=0)
    theirs = stats.ttest_1samp(by_topic, 0.0)
    low, high = theirs.confidence_interval()
    assert found.p_topics.value == pytest.approx(theirs.pvalue)
    assert found.interval.low == pytest.approx(low)
    assert found.interval.high == pytest.approx(high)


def test_gaps_are_left_out_of_the_means_of_their_runs() -> None:
    values = noise()
    values[0, 3] = values[5, 4] = np.nan
    found = mean_contrast(values, STILL, IN_FAMILY, TEAMS, seed=1)
    means = np.nanmean(values, axis=1)
    assert found.value.value == pytest.approx(means[:2].mean() - means[2:].mean())


def test_shifts_are_added_to_the_values_without_a_topic() -> None:
    values = noise()
    shifts = np.random.default_rng(2).normal(size=STILL.shape) / 10
    still = mean_contrast(values, STILL, IN_FAMILY, TEAMS, seed=1)
    moved = mean_contrast(values, shifts, IN_FAMILY, TEAMS, seed=1)
    assert moved.value == still.value
    assert moved.interval != still.interval


def test_test_over_teams_counts_families_that_differ_as_much() -> None:
    # The family has the two best of eight runs: of 28 pairs of teams only itself differs as much.
    values = np.arange(8.0)[::-1, None] ** 2 + noise() / 1000
    found = mean_contrast(values, STILL, IN_FAMILY, TEAMS, seed=1)
    assert found.by_teams.p.value == pytest.approx(1 / 28)
    assert found.p == found.by_teams.p  # the p over topics is far smaller


def test_family_with_all_runs_or_none_has_no_contrast() -> None:
    for family in (np.ones(RUNS, dtype=bool), np.zeros(RUNS, dtype=bool)):
        found = mean_contrast(noise(), STILL, family, TEAMS, seed=1)
        assert found.value.reason is found.p.reason is found.interval.reason is Reason.EMPTY_FAMILY


def test_undefined_contrast_passes_the_reason_on() -> None:
    found = undefined_contrast(Estimate.undefined(Reason.ALL_ZERO))
    assert found.value.reason is found.p_topics.reason is found.by_teams.p.reason is Reason.ALL_ZERO
    assert found.interval.reason is Reason.ALL_ZERO
    assert found.interval.level == 0.95
    assert found.shown is None


def test_claim_needs_both_tests() -> None:
    assert two_p(Estimate.of(0.2), Estimate.of(0.1)).p.value == 0.2
    assert two_p(Estimate.of(0.1), Estimate.of(0.2)).p.value == 0.2
    nothing = Estimate.undefined(Reason.TOO_FEW)
    assert two_p(nothing, Estimate.of(0.2)).p.reason is Reason.TOO_FEW
    assert two_p(Estimate.of(0.2), nothing).p.reason is Reason.TOO_FEW


@pytest.mark.parametrize(
    ("topics", "smallest", "cannot"),
    [(0.5, 0.01, False), (0.5, 0.05, False), (0.5, 0.051, True), (0.5, None, True), (None, 0.01, True)],
)
def test_too_few_teams_or_topics_cannot_decide(
    topics: float | None, smallest: float | None, *, cannot: bool
) -> None:
    p = Estimate.undefined(Reason.TOO_FEW) if topics is None else Estimate.of(topics)
    assert two_p(p, Estimate.of(0.2), smallest).cannot_tell(0.05) is cannot


def shown(half_width: float, others: np.ndarray, value: float = 0.0, alpha: float = 0.05) -> float | None:
    """The smallest effect that is found, for a jackknife of this half width over 20 topics."""
    arrangements = team_arrangements(IN_FAMILY, TEAMS, seed=1)
    # Values without each topic with this half width: t(0.975, 19) sqrt(19 / 20 sum of squares).
    spread = half_width / float(stats.t.ppf(0.975, TOPICS - 1))
    left_out = value + SIGNS * spread / np.sqrt((TOPICS - 1) / TOPICS * TOPICS)
    found = contrast(value, left_out, IN_FAMILY, arrangements, others, alpha=alpha)
    assert found.interval.high == pytest.approx(value + half_width, rel=1e-6)
    return found.shown


def test_smallest_effect_shown_follows_from_the_noise_over_topics() -> None:
    """If other families show nothing, an effect of the half width and 0.84 standard errors is found."""
    arrangements = team_arrangements(IN_FAMILY, TEAMS, seed=1)
    found = shown(1.96, np.linspace(0, 1e-6, len(arrangements.rows)))
    assert found == pytest.approx(1.96 + stats.norm.ppf(0.8) * 1.96 / stats.norm.ppf(0.975), rel=0.006)


def test_smallest_effect_shown_grows_with_the_noise_over_teams() -> None:
    """A family's favour lowers the others: the bound is that of 95 % of families with noise and favour."""
    arrangements = team_arrangements(IN_FAMILY, TEAMS, seed=1)
    rows = arrangements.rows
    others = np.random.default_rng(3).normal(size=len(rows)) * 5
    found = shown(1.0, others)
    inside = rows.sum(axis=1)
    shared = rows[:, :2].sum(axis=1)
    likeness = shared / inside - (2 - shared) / (RUNS - inside)
    place = int(np.ceil(0.95 * len(rows))) - 1
    assert found is not None
    # At the smallest effect the chance is 80 %: effect - bound = 0.84 standard deviations of the noise.
    bound = np.sort(np.abs(others + found * likeness))[place]
    assert found - bound == pytest.approx(stats.norm.ppf(0.8) * others.std(), abs=0.01 * found)


def test_no_effect_is_shown_if_none_can_be_found() -> None:
    arrangements = team_arrangements(IN_FAMILY, TEAMS, seed=1)
    nothing = np.linspace(0, 1e-6, len(arrangements.rows))
    assert shown(400.0, nothing) is None  # the noise over topics hides even 200
    assert shown(1.0, nothing, alpha=0.01) is None  # 28 families: p is at least 1 / 28
