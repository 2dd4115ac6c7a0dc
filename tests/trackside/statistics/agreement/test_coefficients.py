import numpy as np
import pytest

from trackside.errors import InputError
from trackside.statistics.agreement.coefficients import (
    cohen_kappa,
    confusion_matrix,
    invalid_count,
    kappa_of_matrices,
    kappa_of_matrix,
    observed_agreement,
)
from trackside.statistics.estimate import Reason

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
    with pytest.raises(InputError, match=r"1 grades are not on the scale \(0, 1, 2\), the first is 5"):
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
