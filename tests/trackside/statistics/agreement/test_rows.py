"""A matrix gives the same value as the function of two lists of grades, which oracles test."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.references.agreement import kappa_at_cut, kappa_max
from tests.references.overlap import leniency, mean_absolute_error, relevance_agreement
from trackside.arrays import Ints
from trackside.statistics.agreement.coefficients import (
    cohen_kappa,
    confusion_matrix,
    observed_agreement,
)
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
        "ceiling of kappa": kappa_max(matrix),
        "alpha, ordinal": krippendorff_alpha([a.tolist(), b.tolist()]),
        "AC1": gwet_of_matrix(matrix, SCALE),
        "AC2, quadratic": gwet_of_matrix(matrix, SCALE, "quadratic"),
        "same grade": observed_agreement(matrix),
        "mean absolute error": mean_absolute_error(a, b),
        "leniency": leniency(a, b),
    }
    for cut in (1, 2):
        relevant = relevance_agreement(a, b, level=cut)
        found[f"kappa, {cut} or more"] = kappa_at_cut(a, b, cut)
        found[f"overlap, {cut} or more"] = relevant.overlap
        found[f"precision, {cut} or more"] = relevant.precision
        found[f"recall, {cut} or more"] = relevant.recall
    return found


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
    assert expected.keys() == coefficients(SCALE).keys()
    for name, statistic in coefficients(SCALE).items():
        found = estimate_of(statistic, confusion_matrix(a, b, SCALE))
        assert (name, found.reason) == (name, expected[name].reason)
        assert found.value == pytest.approx(expected[name].value)


def test_an_empty_matrix_has_nothing_to_compare() -> None:
    for statistic in coefficients(SCALE).values():
        assert estimate_of(statistic, np.zeros((3, 3), np.int64)) == Estimate.undefined(Reason.NO_OVERLAP)


def test_gwet_needs_two_grades_on_the_scale() -> None:
    a, b = np.array([0, 1, 1, 0, 1]), np.array([0, 1, 0, 0, 1])
    matrices = confusion_matrix(a, b, (0, 1))[None]
    [found] = gwet_of_matrices(matrices, scale=(0, 1))
    assert found == pytest.approx(gwet_of_matrix(matrices[0], (0, 1)).value)
    assert np.isnan(gwet_of_matrices(np.array([[[5]]]), scale=(0,))).all()
