import numpy as np
import pytest
from scipy import stats

from evaluation.core.statistics.comparison.tukey import randomised_tukey, tukey_hsd
from evaluation.core.statistics.estimate import Reason

# Four topics (rows) and three runs.
VALUES = np.array([[0.2, 0.3, 0.5], [0.4, 0.4, 0.7], [0.1, 0.3, 0.4], [0.5, 0.6, 0.8]])


def test_pairs_come_with_adjusted_p_and_simultaneous_intervals() -> None:
    # Means of runs 0.3, 0.4, 0.6; of topics 1/3, 0.5, 0.8/3, 1.9/3; of all 5.2/12. Squares: all 0.506667,
    # topics 0.306667, runs 4 (0.017778 + 0.001111 + 0.027778) = 0.186667; 0.013333 on 6 are left.
    pairs = tukey_hsd(VALUES)
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert [pair.difference for pair in pairs] == pytest.approx([0.1, 0.3, 0.2])
    # The 5 % point of the studentized range for 3 runs and 6 degrees is 4.339 (tables).
    half = 4.339 * (0.0133333333 / 6 / 4) ** 0.5
    assert pairs[0].interval.high == pytest.approx(0.1 + half, abs=1e-4)
    assert pairs[0].interval.low == pytest.approx(0.1 - half, abs=1e-4)
    # The interval of the first pair just holds 0, the others do not.
    assert [pair.p.value is not None and pair.p.value < 0.05 for pair in pairs] == [False, True, True]


def test_two_runs_give_the_paired_t_test() -> None:
    pairs = tukey_hsd(VALUES[:, :2])
    theirs = stats.ttest_rel(VALUES[:, 0], VALUES[:, 1]).pvalue
    assert pairs[0].p.value == pytest.approx(float(theirs), abs=1e-6)


def test_runs_that_differ_by_a_constant_leave_nothing_to_test_against() -> None:
    constant = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    pairs = tukey_hsd(constant)
    assert pairs[0].p.reason is pairs[0].interval.reason is Reason.NO_SPREAD
    assert pairs[0].difference == pytest.approx(0.1)


def test_tables_that_are_too_small_are_refused() -> None:
    for values in (np.ones((1, 3)), np.ones((3, 1))):
        with pytest.raises(ValueError, match="two topics and two runs"):
            tukey_hsd(values)


def test_randomised_p_of_two_runs_is_the_randomisation_test() -> None:
    # Differences 0.1, 0, 0.2, 0.1 of the first two runs: signs of three topics flip freely, and a mean as
    # far from zero needs all three alike: 2 of 8.
    (p,) = randomised_tukey([VALUES[:, :2]], seed=1, draws=20_000)
    assert p[0, 1] == p[1, 0] == pytest.approx(2 / 8, abs=0.01)
    assert p[0, 0] == 1.0


def test_randomised_p_depends_on_the_seed_alone_and_follows_tukeys_where_runs_are_alike() -> None:
    values = np.random.default_rng(3).random((40, 5))
    _, p = randomised_tukey([values**2, values], seed=2, draws=5_000)
    assert np.array_equal(p, randomised_tukey([values], seed=2, draws=5_000)[0])
    for pair in tukey_hsd(values):
        assert pair.p.value == pytest.approx(p[pair.first, pair.second], abs=0.05)
