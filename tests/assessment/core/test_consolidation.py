import pytest

from assessment.core.consolidation import (
    ConsolidationRule,
    consolidate,
    full_agreement,
    gold_accuracy,
    is_unanimous,
    majority,
    mean_confidence,
)
from trackside.statistics.estimate import Reason


def test_a_majority_is_more_than_half() -> None:
    assert majority(["good", "good", "bad"]) == "good"
    assert majority([0, 0, 1, 1]) is None
    assert majority(["good", "bad", "unsure"]) is None
    assert majority([2]) == 2
    assert majority([]) is None


def test_full_agreement_counts_items_on_which_all_agree() -> None:
    items = [["good", "good", "bad"], ["bad", "bad"], ["good"], ["bad", "unsure"]]
    assert [is_unanimous(item) for item in items] == [False, True, True, False]
    assert full_agreement(items).value == 2 / 4
    assert not is_unanimous([])
    assert full_agreement([]).reason is Reason.EMPTY


@pytest.mark.parametrize(
    ("rule", "grades", "grade"),
    [
        (ConsolidationRule.OWNER, [1, 2, 2], 1),
        (ConsolidationRule.MAJORITY, [0, 2, 2], 2),
        (ConsolidationRule.MAJORITY, [0, 2], None),
        (ConsolidationRule.MAJORITY, [1], 1),
        (ConsolidationRule.MEAN, [0, 1], 1),  # 0.5, halves up
        (ConsolidationRule.MEAN, [0, 0, 1], 0),
        (ConsolidationRule.MEAN, [-1, 0], 0),  # -0.5, halves up
        (ConsolidationRule.MEAN, [2, 1, 2], 2),
        (ConsolidationRule.MAX, [0, 2, 1], 2),
        *[(rule, [], None) for rule in ConsolidationRule],
    ],
)
def test_rule_makes_one_grade_of_several(
    rule: ConsolidationRule, grades: list[int], grade: int | None
) -> None:
    assert consolidate(grades, rule, range(-1, 3)) == grade


@pytest.mark.parametrize(("grades", "grade"), [([1, 3], 3), ([0, 1, 3], 1), ([0, 0, 3], 1), ([0, 0, 1], 0)])
def test_mean_is_a_grade_of_the_scale(grades: list[int], grade: int) -> None:
    assert consolidate(grades, ConsolidationRule.MEAN, [0, 1, 3]) == grade  # of 2, 4/3, 1 and 1/3 the nearest


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
