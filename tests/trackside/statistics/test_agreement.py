from collections.abc import Callable

import numpy as np
import pytest

from trackside.arrays import Ints
from trackside.errors import InputError
from trackside.statistics.agreement import (
    KappaWeights,
    coefficients,
    cohen_kappa,
    confusion_matrix,
    estimate_of,
    fleiss_kappa,
    gwet_of_matrices,
    gwet_of_matrix,
    invalid_count,
    kappa_of_matrices,
    kappa_of_matrix,
    krippendorff_alpha,
    observed_agreement,
)
from trackside.statistics.estimate import Estimate, Reason

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


def _of_lists(a: Ints, b: Ints) -> dict[str, Estimate]:
    matrix = confusion_matrix(a, b, SCALE)
    found = {
        "kappa": cohen_kappa(a, b, SCALE),
        "kappa, linear": cohen_kappa(a, b, SCALE, "linear"),
        "kappa, quadratic": cohen_kappa(a, b, SCALE, "quadratic"),
        "alpha, ordinal": krippendorff_alpha([a.tolist(), b.tolist()]),
        "AC1": gwet_of_matrix(matrix, SCALE),
        "AC2, quadratic": gwet_of_matrix(matrix, SCALE, "quadratic"),
        "same grade": observed_agreement(matrix),
        "mean absolute error": Estimate.of(np.abs(b - a).mean()),
        "leniency": Estimate.of((b - a).mean()),
    }
    for cut in (1, 2):
        left, right = a >= cut, b >= cut
        both = int((left & right).sum())
        found[f"kappa, {cut} or more"] = cohen_kappa(left, right, (0, 1))
        found[f"overlap, {cut} or more"] = _share(both, int((left | right).sum()))
        found[f"precision, {cut} or more"] = _share(both, int(right.sum()))
        found[f"recall, {cut} or more"] = _share(both, int(left.sum()))
    return found


def _share(part: int, whole: int) -> Estimate:
    return Estimate.of(part / whole) if whole else Estimate.undefined(Reason.NO_RELEVANT)


def _constant(rng: np.random.Generator) -> tuple[Ints, Ints]:
    return np.zeros(4, np.int64), np.zeros(4, np.int64)


def _random(rng: np.random.Generator) -> tuple[Ints, Ints]:
    a, b = rng.integers(0, 3, (2, int(rng.integers(1, 12))))
    return a, b


@pytest.mark.parametrize("draw", [_constant, _random])
def test_matrices_give_what_lists_of_grades_give(
    draw: Callable[[np.random.Generator], tuple[Ints, Ints]],
) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        _agree(*draw(rng))


def _agree(a: Ints, b: Ints) -> None:
    expected = _of_lists(a, b)
    assert expected.keys() == coefficients(SCALE).keys() - {"ceiling of kappa"}
    for name, estimate in expected.items():
        found = estimate_of(coefficients(SCALE)[name], confusion_matrix(a, b, SCALE))
        assert (name, found.reason) == (name, estimate.reason)
        assert found.value == pytest.approx(estimate.value)


def test_ceiling_of_kappa_is_reached_when_the_margins_meet_as_far_as_they_can() -> None:
    ceiling = coefficients(SCALE)["ceiling of kappa"]
    # Cohen 1960: margins 120, 60, 20 and 100, 60, 40 of 200: at most 180 alike, chance 16400/40000.
    cohen = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert estimate_of(ceiling, cohen).value == pytest.approx((0.9 - 0.41) / (1 - 0.41))
    assert estimate_of(ceiling, np.diag([3, 4, 5])).value == pytest.approx(1.0)
    assert estimate_of(ceiling, np.diag([3, 0, 0])).reason is Reason.ONE_GRADE


def test_an_empty_matrix_has_nothing_to_compare() -> None:
    for statistic in coefficients(SCALE).values():
        assert estimate_of(statistic, np.zeros((3, 3), np.int64)) == Estimate.undefined(Reason.NO_OVERLAP)


def test_gwet_needs_two_grades_on_the_scale() -> None:
    a, b = np.array([0, 1, 1, 0, 1]), np.array([0, 1, 0, 0, 1])
    matrices = confusion_matrix(a, b, (0, 1))[None]
    [found] = gwet_of_matrices(matrices, scale=(0, 1))
    assert found == pytest.approx(gwet_of_matrix(matrices[0], (0, 1)).value)
    assert np.isnan(gwet_of_matrices(np.array([[[5]]]), scale=(0,))).all()


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section E; he prints three decimals.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]

# Fleiss 1971 as in his textbook: 10 items, 14 judges, 5 categories; kappa 0.210.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_alpha_equals_krippendorffs_example() -> None:
    assert krippendorff_alpha(KRIPPENDORFF, "nominal").value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(KRIPPENDORFF, "ordinal").value == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(KRIPPENDORFF, "interval").value == pytest.approx(0.849, abs=5e-4)


def test_alpha_by_hand() -> None:
    # Two judges, items (0,0), (0,1), (1,1): coincidences of unlike grades 2, totals 3 and 3.
    # D_o = 2/6, D_e = 2 * 3 * 3 / (6 * 5).
    assert krippendorff_alpha([[0, 0, 1], [0, 1, 1]], "nominal").value == pytest.approx(
        1 - (2 / 6) / (18 / 30)
    )


def test_alpha_does_not_count_items_with_one_grade() -> None:
    grades = [[0, 0, 1], [0, 1, 1]]
    padded: list[list[int | None]] = [[0, 0, 1, 1], [0, 1, 1, None]]
    assert krippendorff_alpha(padded) == krippendorff_alpha(grades)


def test_alpha_is_undefined_without_shared_items_or_with_one_grade() -> None:
    assert krippendorff_alpha([[1, None], [None, 1]]).reason is Reason.NO_OVERLAP
    assert krippendorff_alpha([]).reason is Reason.NO_OVERLAP
    assert krippendorff_alpha([[1, 1], [1, 1]]).reason is Reason.ONE_GRADE


def test_fleiss_kappa_equals_the_textbook() -> None:
    assert fleiss_kappa(FLEISS).value == pytest.approx(0.210, abs=5e-4)


def test_fleiss_kappa_is_undefined_where_it_has_no_meaning() -> None:
    assert fleiss_kappa([]).reason is Reason.EMPTY
    assert fleiss_kappa([[3, 0], [3, 0]]).reason is Reason.ONE_GRADE
    assert fleiss_kappa([[3, 0], [1, 1]]).reason is Reason.UNEQUAL_COUNTS
    assert fleiss_kappa([[1, 0], [0, 1]]).reason is Reason.NO_OVERLAP


def gwet(a: list[int], b: list[int], scale: tuple[int, ...], weights: KappaWeights | None = None) -> Estimate:
    return gwet_of_matrix(confusion_matrix(a, b, scale), scale, weights)


def test_gwet_by_hand() -> None:
    # Agreement 3/4; shares of the grades 5/8 and 3/8, chance 2 * 5/8 * 3/8 = 15/32.
    assert gwet([0, 0, 1, 0], [0, 0, 1, 1], (0, 1)).value == pytest.approx((3 / 4 - 15 / 32) / (1 - 15 / 32))


def test_gwet_equals_irrcac() -> None:
    # irrCAC 0.4.4 prints 0.44509 and, with quadratic weights, 0.73333.
    a, b = [0, 1, 2, 2, 0, 1, 0, 0], [0, 2, 2, 1, 0, 1, 0, 1]
    assert gwet(a, b, (0, 1, 2)).value == pytest.approx(0.44509, abs=5e-6)
    assert gwet(a, b, (0, 1, 2), "quadratic").value == pytest.approx(0.73333, abs=5e-6)


def test_gwet_is_one_where_kappa_is_undefined() -> None:
    assert gwet([0, 0], [0, 0], (0, 1, 2)).value == 1.0
    assert gwet([], [], (0, 1)).reason is Reason.EMPTY
    assert gwet([0], [0], (0,)).reason is Reason.ONE_GRADE
