import numpy as np
import pytest

from tests.references.agreement import kappa_at_cut, kappa_interval, kappa_max
from trackside.statistics.agreement.coefficients import KappaWeights, kappa_of_matrices
from trackside.statistics.estimate import Reason

SCALE = (0, 1, 2)
A = [0, 1, 2, 2, 0, 1, 0, 0]
B = [0, 2, 2, 1, 0, 1, 0, 1]

# Cohen 1960: 200 items in three categories.
COHEN = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])


def test_kappa_at_a_cut_joins_grades() -> None:
    # "1 or more": 3 both below, 4 both above, 1 above for b alone. Agreement 7/8, chance (4*3 + 4*5)/64.
    assert kappa_at_cut(A, B, 1).value == pytest.approx((56 - 32) / (64 - 32))


def test_kappa_max_is_reached_when_the_margins_meet_as_far_as_they_can() -> None:
    # Margins 120, 60, 20 and 100, 60, 40: at most 100 + 60 + 20 alike; chance (12000 + 3600 + 800)/200^2.
    assert kappa_max(COHEN).value == pytest.approx((0.9 - 0.41) / (1 - 0.41))
    assert kappa_max(np.diag([3, 4, 5])).value == pytest.approx(1.0)
    assert kappa_max(np.diag([3, 0, 0])).reason is Reason.ONE_GRADE
    assert kappa_max(np.zeros((3, 3), dtype=int)).reason is Reason.EMPTY


def test_textbook_interval_has_the_width_that_samples_show() -> None:
    # Standard deviations of kappa in 20,000 samples of 200 items; they carry an error of 0.5 %.
    rng = np.random.default_rng(1)
    samples = rng.multinomial(200, COHEN.ravel() / 200, size=20_000).reshape(-1, 3, 3)
    kinds: tuple[KappaWeights | None, ...] = (None, "linear", "quadratic")
    for weights in kinds:
        interval = kappa_interval(COHEN, SCALE, weights)
        assert interval.low is not None
        assert interval.high is not None
        spread = kappa_of_matrices(samples, SCALE, weights).std()
        assert (interval.high - interval.low) / 2 / 1.96 == pytest.approx(spread, rel=0.02)


def test_textbook_interval_is_undefined_as_kappa_is() -> None:
    assert kappa_interval(np.diag([3, 0, 0]), SCALE).reason is Reason.ONE_GRADE
