import pytest

from evaluation.core.statistics.estimate import Reason
from evaluation.core.statistics.families.relative_delta import relative_delta

MEANS = [0.30, 0.28, 0.34, 0.12, 0.20, 0.16, 0.10]
FAMILY = [True, True, True, False, False, False, False]


def test_relative_delta_by_hand() -> None:
    # Means 0.92/3 and 0.58/4: 2 (0.306667 - 0.145) / 0.451667.
    delta = relative_delta(MEANS, FAMILY)
    assert delta.value == pytest.approx(200 * (0.92 / 3 - 0.145) / (0.92 / 3 + 0.145))


def test_delta_is_undefined_with_an_empty_side_or_nothing_but_zeros() -> None:
    for flags in ([False, False], [True, True]):
        assert relative_delta([0.1, 0.2], flags).reason is Reason.EMPTY_FAMILY
    assert relative_delta([0.0, 0.0], [True, False]).reason is Reason.ALL_ZERO


def test_means_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="2 means cannot be paired with 3 families"):
        relative_delta([0.1, 0.2], [True, False, False])
    with pytest.raises(ValueError, match="at least 0"):
        relative_delta([0.1, -0.2], [True, False])
