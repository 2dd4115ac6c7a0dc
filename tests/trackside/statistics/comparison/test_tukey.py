import numpy as np
import pytest
from scipy import stats

from trackside.statistics.comparison.tukey import critical_value, randomised_tukey, tukey_hsd, upper_tail

# Four topics (rows) and three runs.
VALUES = np.array([[0.2, 0.3, 0.5], [0.4, 0.4, 0.7], [0.1, 0.3, 0.4], [0.5, 0.6, 0.8]])


def test_pairs_come_with_adjusted_p_and_simultaneous_intervals() -> None:
    # Means of runs 0.3, 0.4, 0.6; of topics 1/3, 0.5, 0.8/3, 1.9/3; of all 5.2/12. Squares: all 0.506667,
    # topics 0.306667, runs 4 (0.017778 + 0.001111 + 0.027778) = 0.186667; 0.013333 on 6 are left.
    test = tukey_hsd(VALUES)
    assert test
    # The 5 % point of the studentized range for 3 runs and 6 degrees is 4.339 (tables).
    assert test.half == pytest.approx(4.339 * (0.0133333333 / 6 / 4) ** 0.5, abs=1e-4)
    # The interval of the first pair, 0.1 +- 0.102, just holds 0, the others do not.
    assert (test.p < 0.05).tolist() == [[False, False, True], [False, False, True], [True, True, False]]
    assert np.array_equal(test.p, test.p.T)


def test_two_runs_give_the_paired_t_test() -> None:
    test = tukey_hsd(VALUES[:, :2])
    theirs = stats.ttest_rel(VALUES[:, 0], VALUES[:, 1]).pvalue
    assert test
    assert test.p[0, 1] == pytest.approx(float(theirs), abs=1e-6)


def test_runs_that_differ_by_a_constant_leave_nothing_to_test_against() -> None:
    assert tukey_hsd(np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])) is None


def test_tables_that_are_too_small_are_refused() -> None:
    for values in (np.ones((1, 3)), np.ones((3, 1))):
        with pytest.raises(ValueError, match="two topics and two runs"):
            tukey_hsd(values)


def test_randomised_p_of_two_runs_is_the_randomisation_test() -> None:
    # Differences 0.1, 0, 0.2, 0.1 of the first two runs: signs of three topics flip freely, and a mean as
    # far from zero needs all three alike: 2 of 8.
    p = randomised_tukey(VALUES[:, :2], seed=1, draws=20_000)
    assert p[0, 1] == p[1, 0] == pytest.approx(2 / 8, abs=0.01)
    assert p[0, 0] == 1.0


def test_randomised_p_depends_on_the_seed_alone_and_follows_tukeys_where_runs_are_alike() -> None:
    values = np.random.default_rng(3).random((40, 5))
    p = randomised_tukey(values, seed=2, draws=5_000)
    assert np.array_equal(p, randomised_tukey(values, seed=2, draws=5_000))
    test = tukey_hsd(values)
    assert test
    assert test.p == pytest.approx(p, abs=0.05)


@pytest.mark.parametrize(
    ("groups", "degrees", "table"),
    [(3, 6, 4.339), (2, 10, 3.151), (5, 20, 4.232), (10, 60, 4.646), (20, 120, 5.126)],
)
def test_critical_values_equal_the_printed_tables(groups: int, degrees: int, table: float) -> None:
    assert critical_value(0.05, groups, degrees) == pytest.approx(table, abs=5.1e-4)


def test_two_groups_are_students_t() -> None:
    # The range of two means is sqrt(2) |t|.
    for t in (0.1, 1.0, 2.5, 6.0):
        expected = 2 * stats.t.sf(t, 9)
        assert upper_tail([t * 2**0.5], 2, 9)[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("groups", "degrees"), [(3, 2), (6, 245), (16, 1095)])
def test_tails_equal_scipys(groups: int, degrees: int) -> None:
    q = np.array([0.5, 2.0, 4.0, 6.0])
    assert upper_tail(q, groups, degrees) == pytest.approx(
        stats.studentized_range.sf(q, groups, degrees), abs=1e-9
    )


def test_tails_go_from_one_to_zero_for_any_shape() -> None:
    q = np.linspace(0, 30, 600).reshape(20, 30)
    tails = upper_tail(q, 8, 70)
    assert tails.shape == q.shape
    assert tails[0, 0] == pytest.approx(1.0)
    assert (np.diff(tails.ravel()) <= 0).all()
    assert 0 <= tails[-1, -1] < 1e-15
