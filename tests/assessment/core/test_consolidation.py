from assessment.core.consolidation import full_agreement, is_unanimous, majority
from evaluation.core.estimate import Reason


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
