import pytest

from assessment.core.consolidation import (
    ConsolidationRule,
    accuracy_by,
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


def test_accuracy_by_class_and_by_confidence_of_a_known_study() -> None:
    # Five people, four items, as in the case human_annotation: 9 of 20 right; by confidence counted by hand.
    gold = [1, 0, 1, 0]
    answers = [[1, 1, 0, 1, 1], [1, 1, 1, 0, 1], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0]]
    sure = [[1, 2, 3, 1, 1], [1, 1, 2, 3, 2], [3, 3, 2, 3, 3], [1, 1, 3, 1, 2]]
    rows = [
        (truth, answer, level, topic)
        for truth, given, levels, topic in zip(gold, answers, sure, "abcd", strict=True)
        for answer, level in zip(given, levels, strict=True)
    ]
    truths, given, levels, topics = map(list, zip(*rows, strict=True))
    by_class = accuracy_by(truths, truths, given, topics)
    assert [(row.key, row.count, row.accuracy.value) for row in by_class] == [(0, 10, 0.5), (1, 10, 0.4)]
    by_level = accuracy_by(levels, truths, given, topics)
    assert [(row.key, row.count) for row in by_level] == [(1, 8), (2, 5), (3, 7)]
    assert [row.accuracy.value for row in by_level] == pytest.approx([6 / 8, 2 / 5, 1 / 7])
    assert {row.accuracy.missing for row in by_level} == {Reason.TOO_FEW_PAIRS}
    assert accuracy_by([], [], [], []) == []


def test_interval_of_accuracy_is_over_topics() -> None:
    # All answers to an item are right, or all are wrong: five say no more than three.
    right = [int(item % 3 > 0) for item in range(12)]
    topics = [str(item) for item in range(12)]
    (three,) = accuracy_by([1] * 36, [1] * 36, right * 3, topics * 3)
    (five,) = accuracy_by([1] * 60, [1] * 60, right * 5, topics * 5)
    assert three.accuracy.value == pytest.approx(2 / 3)
    assert three.accuracy.low is not None
    assert (three.accuracy.low, three.accuracy.high) == pytest.approx((five.accuracy.low, five.accuracy.high))


def test_accuracy_without_answers_is_undefined() -> None:
    nothing = gold_accuracy([], [])
    assert nothing.average.reason is nothing.pessimistic.reason is Reason.EMPTY
    assert gold_accuracy([1], [[]]).optimistic.reason is Reason.EMPTY
