"""A matrix gives the same value as two lists of grades, by other functions or by hand."""

from collections.abc import Callable

import numpy as np
import pytest

from trackside.arrays import Ints
from trackside.statistics.agreement.coefficients import cohen_kappa, confusion_matrix, observed_agreement
from trackside.statistics.agreement.reliability import gwet_of_matrix, krippendorff_alpha
from trackside.statistics.agreement.rows import coefficients, estimate_of, gwet_of_matrices
from trackside.statistics.estimate import Estimate, Reason

SCALE = (0, 1, 2)


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
