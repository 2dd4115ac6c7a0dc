import pytest

from trackside.judging.mappings.expected_grade import expected_grade
from trackside.statistics.estimate import Reason


def test_the_expected_grade_is_renormalised_to_the_scale() -> None:
    # (0.25 + 2 * 0.15) / 0.5.
    expected = expected_grade({0: 0.1, 1: 0.25, 2: 0.15, 7: 0.5}, (0, 1, 2))
    assert expected.value.value == pytest.approx(1.1)
    assert expected.mass == pytest.approx(0.5)


def test_a_grade_without_a_probability_counts_as_none() -> None:
    assert expected_grade({2: 0.3}, (0, 1, 2)).value.value == 2.0


def test_no_probability_on_the_scale_is_undefined() -> None:
    expected = expected_grade({7: 0.9}, (0, 1, 2))
    assert (expected.value.reason, expected.mass) == (Reason.EMPTY, 0.0)
