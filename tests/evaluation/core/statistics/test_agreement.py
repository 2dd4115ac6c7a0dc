import numpy as np
import pytest

from evaluation.core.statistics.agreement import (
    GradeOffScale,
    Weights,
    cohen_kappa,
    confusion_matrix,
    invalid_count,
    kappa_at_cut,
    kappa_interval,
    kappa_max,
    kappa_of_matrices,
    kappa_of_matrix,
    observed_agreement,
)
from evaluation.core.statistics.estimate import Reason

SCALE = (0, 1, 2)
A = [0, 1, 2, 2, 0, 1, 0, 0]
B = [0, 2, 2, 1, 0, 1, 0, 1]

# Cohen 1960: 200 items in three categories; he reports kappa 0.492.
COHEN = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])


def test_confusion_has_a_row_for_each_grade_of_a_and_a_column_for_each_of_b() -> None:
    assert confusion_matrix(A, B, SCALE).tolist() == [[3, 1, 0], [0, 1, 1], [0, 1, 1]]


def test_confusion_keeps_grades_that_nobody_gave_and_the_order_of_the_scale() -> None:
    assert confusion_matrix([0], [0], SCALE).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert confusion_matrix([2, 0], [1, 0], (2, 1, 0)).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]


def test_a_grade_off_the_scale_is_refused_not_dropped() -> None:
    assert invalid_count([0, 5, 7], SCALE) == 2
    with pytest.raises(GradeOffScale, match=r"1 grades are not on the scale \(0, 1, 2\), the first is 5"):
        cohen_kappa([0, 1], [0, 5], SCALE)


def test_kappa_by_hand() -> None:
    # Agreement 5/8; by chance (4*3 + 2*3 + 2*2)/64 = 22/64: (40 - 22) / (64 - 22).
    assert cohen_kappa(A, B, SCALE).value == pytest.approx(18 / 42)
    # Squared distances sum to 3; by chance (4*3*1 + 4*2*4 + 2*3*1 + 2*2*1 + 2*3*4 + 2*3*1)/8 = 84/8.
    assert cohen_kappa(A, B, SCALE, "quadratic").value == pytest.approx(1 - 3 * 8 / 84)
    # Distances sum to 3; by chance (12 + 16 + 6 + 4 + 12 + 6)/8 = 56/8.
    assert cohen_kappa(A, B, SCALE, "linear").value == pytest.approx(1 - 3 * 8 / 56)


def test_kappa_equals_cohens_example() -> None:
    assert kappa_of_matrix(COHEN, SCALE).value == pytest.approx(0.492, abs=5e-4)
    assert observed_agreement(COHEN).value == pytest.approx(0.7)


def test_kappa_weighs_by_the_values_of_the_scale() -> None:
    # With two grades every weight is the same; with 0, 1, 10 a mistake of 9 is dear.
    near = cohen_kappa([0, 1, 10, 10], [1, 1, 10, 10], (0, 1, 10), "linear").value
    far = cohen_kappa([0, 1, 10, 10], [0, 1, 10, 1], (0, 1, 10), "linear").value
    assert near is not None
    assert far is not None
    assert near > far


def test_kappa_is_undefined_without_items_or_with_one_grade_on_both_sides() -> None:
    assert cohen_kappa([], [], SCALE).reason is Reason.EMPTY
    assert cohen_kappa([1, 1], [1, 1], SCALE).reason is Reason.ONE_GRADE
    assert cohen_kappa([0, 1, 2], [1, 1, 1], SCALE).value == pytest.approx(0.0)
    assert observed_agreement(confusion_matrix([], [], SCALE)).reason is Reason.EMPTY


def test_kappa_of_a_stack_gives_nan_where_undefined() -> None:
    kappas = kappa_of_matrices(np.stack([COHEN, np.zeros((3, 3), dtype=int)]), SCALE)
    assert kappas[0] == pytest.approx(0.492, abs=5e-4)
    assert np.isnan(kappas[1])


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
    kinds: tuple[Weights | None, ...] = (None, "linear", "quadratic")
    for weights in kinds:
        interval = kappa_interval(COHEN, SCALE, weights)
        assert interval.low is not None
        assert interval.high is not None
        spread = kappa_of_matrices(samples, SCALE, weights).std()
        assert (interval.high - interval.low) / 2 / 1.96 == pytest.approx(spread, rel=0.02)


def test_textbook_interval_is_undefined_as_kappa_is() -> None:
    assert kappa_interval(np.diag([3, 0, 0]), SCALE).reason is Reason.ONE_GRADE
