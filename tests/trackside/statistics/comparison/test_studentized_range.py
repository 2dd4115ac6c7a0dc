import numpy as np
import pytest
from scipy import stats

from trackside.statistics.comparison.studentized_range import critical_value, upper_tail


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
