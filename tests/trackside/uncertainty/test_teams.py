import numpy as np
import pytest
from scipy import stats

from trackside.statistics.estimate import IntervalMethod, Reason
from trackside.uncertainty.ranks import team_interval


def test_interval_is_t_jackknife_errors_around_tau_and_cut_at_one() -> None:
    left_out = np.array([0.5, 0.55, 0.6, 0.45, 0.5, 0.52, 0.51, 0.53])
    error = np.sqrt(7 / 8 * ((left_out - left_out.mean()) ** 2).sum())
    half = stats.t.ppf(0.975, 7) * error
    found = team_interval(0.52, left_out)
    assert (found.low, found.high) == pytest.approx((0.52 - half, 0.52 + half))
    assert found.method is IntervalMethod.JACKKNIFE
    assert team_interval(0.99, left_out).high == 1.0


@pytest.mark.parametrize(
    ("left_out", "reason"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], Reason.TOO_FEW_TEAMS),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, np.nan], Reason.HANGS_ON_ONE_TEAM),
        ([0.5] * 8, Reason.NO_VARIATION),
    ],
)
def test_cases_without_an_interval_have_a_reason(left_out: list[float], reason: Reason) -> None:
    assert team_interval(0.5, np.array(left_out)).reason is reason
