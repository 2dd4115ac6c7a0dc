import pytest

from trackside.statistics.agreement.coefficients import KappaWeights, confusion_matrix
from trackside.statistics.agreement.reliability import fleiss_kappa, gwet_of_matrix, krippendorff_alpha
from trackside.statistics.estimate import Estimate, Reason

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
