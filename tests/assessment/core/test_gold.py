import pytest

from assessment.core.consolidation import gold_accuracy, mean_confidence
from trackside.statistics.estimate import Reason

GOLD = [1, 0, 1]
ANSWERS = [[1, 1, 0], [1, 1, 1], [1, 1, 1]]


def test_accuracy_by_hand() -> None:
    # Right answers 2, 0 and 3 of 3.
    accuracy = gold_accuracy(GOLD, ANSWERS)
    assert accuracy.average.value == pytest.approx(5 / 9)
    assert accuracy.optimistic.value == pytest.approx(2 / 3)
    assert accuracy.by_majority.value == pytest.approx(2 / 3)
    assert accuracy.pessimistic.value == pytest.approx(1 / 3)


def test_an_even_split_is_no_majority() -> None:
    assert gold_accuracy([1], [[1, 0]]).by_majority.value == 0.0


def test_confidence_by_whether_the_answer_was_right() -> None:
    confidence = mean_confidence([1, 0], [[1, 0], [1, 0]], [[1, 3], [2, 1]])
    assert confidence.overall.value == 7 / 4
    assert (confidence.when_right.value, confidence.when_wrong.value) == (1.0, 2.5)
    assert mean_confidence([1], [[1]], [[2]]).when_wrong.reason is Reason.EMPTY


def test_accuracy_without_answers_is_undefined() -> None:
    nothing = gold_accuracy([], [])
    assert nothing.average.reason is nothing.pessimistic.reason is Reason.EMPTY
    assert gold_accuracy([1], [[]]).optimistic.reason is Reason.EMPTY
