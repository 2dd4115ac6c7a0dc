import pytest

from tests.references.overlap import (
    joint_overlap,
    leniency,
    mean_absolute_error,
    relevance_agreement,
)
from trackside.statistics.estimate import Reason

A = [0, 1, 2, 2, 0, 1, 0, 0]
B = [0, 2, 2, 1, 0, 1, 0, 1]


def test_relevance_agreement_by_hand() -> None:
    # Relevant for both 4, for b alone 1, for neither 3.
    agreement = relevance_agreement(A, B)
    assert agreement.overlap.value == 4 / 5
    assert agreement.precision.value == 4 / 5
    assert agreement.recall.value == 1.0
    assert agreement.positive_agreement.value == pytest.approx(8 / 9)
    assert agreement.negative_agreement.value == pytest.approx(6 / 7)


def test_relevance_agreement_takes_the_level() -> None:
    # At level 2: a has items 3, 4; b has 2, 3.
    agreement = relevance_agreement(A, B, level=2)
    assert agreement.overlap.value == pytest.approx(1 / 3)
    assert agreement.recall.value == 1 / 2


def test_relevance_agreement_is_undefined_part_by_part() -> None:
    none = relevance_agreement([0, 0], [0, 0])
    assert none.overlap.reason is none.precision.reason is none.recall.reason is Reason.NO_RELEVANT
    assert none.negative_agreement.value == 1.0
    only_b = relevance_agreement([0, 0], [1, 0])
    assert only_b.overlap.value == only_b.precision.value == 0.0
    assert only_b.recall.reason is Reason.NO_RELEVANT


def test_joint_overlap_takes_all_judges() -> None:
    # All three agree on the first item; any of them calls four relevant.
    assert joint_overlap([[1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 0, 1, 1, 0]]).value == 1 / 4
    assert joint_overlap([[0], [0]]).reason is Reason.NO_RELEVANT


def test_error_and_leniency_by_hand() -> None:
    assert mean_absolute_error(A, B).value == 3 / 8
    assert leniency(A, B).value == 1 / 8
    assert leniency(B, A).value == -1 / 8
    assert mean_absolute_error([], []).reason is leniency([], []).reason is Reason.EMPTY
