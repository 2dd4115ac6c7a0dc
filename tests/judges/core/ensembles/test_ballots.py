from __future__ import annotations

import numpy as np
import pytest

from evaluation.core.statistics.estimate import Reason
from judges.core.ensembles.ballots import (
    Difficulty,
    MemberAgreement,
    NothingToCalibrate,
    agreement,
    best_threshold,
    calibration_topics,
    combine,
    difficulties,
    difficulty,
    stability,
    votes,
)
from judges.core.inputs import Gap

NAN = float("nan")


def test_best_threshold_is_the_lowest_with_the_largest_f1() -> None:
    # From 0.8 on: right 1, wrong 0, F1 = 2/(1+2) = 0.667. From 0.6: right 1, wrong 1, F1 = 2/4 = 0.5.
    # From 0.4: right 2, wrong 1, F1 = 4/5 = 0.8. From 0.2: right 2, wrong 2, F1 = 4/6 = 0.667.
    found = best_threshold([0.8, 0.6, 0.4, 0.2], [True, False, True, False])

    assert (found.score, found.pair_count, found.relevant_count) == (0.4, 4, 2)
    assert found.f1 == pytest.approx(0.8)


def test_best_threshold_needs_a_relevant_pair() -> None:
    with pytest.raises(NothingToCalibrate, match="choose more topics"):
        best_threshold([0.8, 0.6], [False, False])
    with pytest.raises(NothingToCalibrate):
        best_threshold([], [])


def test_calibration_topics_are_a_share_of_them_and_the_same_for_a_seed() -> None:
    topics = [f"T{place}" for place in range(1, 9)]

    drawn = calibration_topics(topics, 0.25, 7)

    assert len(drawn) == 2
    assert set(drawn) <= set(topics)
    assert drawn == calibration_topics(reversed(topics), 0.25, 7)
    assert len({calibration_topics(topics, 0.25, seed) for seed in range(20)}) > 1
    assert len(calibration_topics(topics, 0.01, 0)) == 1


def test_votes_are_the_level_from_the_threshold_on_and_a_gap_stays_one() -> None:
    np.testing.assert_array_equal(votes([1.0, 0.5, 0.49, NAN], 0.5, 2), [2, 2, 0, NAN])


# Three judges on six pairs. By hand: two 1s beat a 2; 0, 1, 2 are even and the first judge decides; 2, 2
# without the first; one grade alone is below a quorum of two; 0 against 1 is a tie of two that the first
# decides; 1 against 2 is one that nobody decides, since the first has no grade.
BALLOTS = np.array([[1, 1, 2], [0, 1, 2], [NAN, 2, 2], [NAN, NAN, 1], [0, 1, NAN], [NAN, 1, 2]])


def test_majority_is_the_most_common_grade_and_the_tie_breaker_decides() -> None:
    found = combine(BALLOTS, is_mean=False, quorum=2, tie_breaker=0)

    np.testing.assert_array_equal(found.scores, [1, 0, 2, NAN, 0, NAN])
    assert found.gaps == (None, None, None, Gap.TOO_FEW_MEMBERS, None, Gap.TIED)
    assert found.agreeing.tolist() == [2, 1, 2, 1, 1, 1]
    assert found.present.tolist() == [3, 3, 2, 1, 2, 2]


def test_tie_breaker_decides_only_between_the_grades_that_lead() -> None:
    # 0, 0, 2, 2 and the tie-breaker's 1: it is none of those that lead.
    found = combine(np.array([[1, 0, 0, 2, 2.0]]), is_mean=False, quorum=1, tie_breaker=0)

    assert np.isnan(found.scores).all()
    assert found.gaps == (Gap.TIED,)


def test_mean_is_over_the_members_that_have_a_grade() -> None:
    found = combine(BALLOTS, is_mean=True, quorum=2, tie_breaker=0)

    np.testing.assert_allclose(found.scores, [4 / 3, 1, 2, NAN, 0.5, 1.5])
    assert found.gaps == (None, None, None, Gap.TOO_FEW_MEMBERS, None, None)
    np.testing.assert_allclose(found.means, [4 / 3, 1, 2, 1, 0.5, 1.5])


def test_no_ballot_at_all_is_a_gap_and_never_0() -> None:
    found = combine(np.full((2, 3), NAN), is_mean=True, quorum=1, tie_breaker=0)

    assert found.gaps == (Gap.TOO_FEW_MEMBERS, Gap.TOO_FEW_MEMBERS)
    assert np.isnan(found.scores).all()


@pytest.mark.parametrize(
    ("agreeing", "present", "expected"),
    [
        (5, 5, MemberAgreement.UNANIMOUS),
        (4, 5, MemberAgreement.MAJORITY),
        (3, 5, MemberAgreement.SPLIT),
        (3, 3, MemberAgreement.UNANIMOUS),
        (2, 3, MemberAgreement.SPLIT),
        (3, 4, MemberAgreement.MAJORITY),
        (2, 4, MemberAgreement.SPLIT),
        (1, 2, MemberAgreement.SPLIT),
    ],
)
def test_agreement_follows_from_the_number_of_equal_ballots(
    agreeing: int, present: int, expected: MemberAgreement
) -> None:
    assert agreement(agreeing, present) is expected


# By hand, of seven members: a third is 2.33, so 0, 1 and 2 right are hard; two thirds are 4.67, so 5, 6 and 7
# right are easy. The second column is the agreement: of the seven, 7, 6, 5, 4, 4, 5, 6 and 7 give the same.
SEVEN = [
    ("hard", "unanimous"),
    ("hard", "majority"),
    ("hard", "majority"),
    ("medium", "split"),
    ("medium", "split"),
    ("easy", "majority"),
    ("easy", "majority"),
    ("easy", "unanimous"),
]


@pytest.mark.parametrize("is_relevant", [True, False])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("correct", range(8))
def test_pair_that_no_member_gets_right_is_hard_though_all_agree(
    correct: int, level: int, is_relevant: bool
) -> None:
    expected_difficulty, expected_agreement = SEVEN[correct]
    right = level if is_relevant else 0
    ballots = np.array([[right] * correct + [level - right] * (7 - correct)], dtype=float)
    (agreeing,) = combine(ballots, is_mean=False, quorum=4, tie_breaker=0).agreeing.tolist()

    assert difficulty(correct, 7) == expected_difficulty
    assert difficulties(ballots, np.array([float(right)]), quorum=4) == [expected_difficulty]
    assert agreement(agreeing, 7) == expected_agreement


def test_difficulty_counts_the_members_that_voted_where_enough_did() -> None:
    # Two of three are right: 2/3, easy. One of two: half, medium. One vote is below the quorum of two.
    ballots = np.array([[1, 1, 0], [1, 0, NAN], [1, NAN, NAN], [1, 1, 1]])
    people = np.array([1, 1, 1, NAN])

    assert difficulties(ballots, people, quorum=2) == [Difficulty.EASY, Difficulty.MEDIUM, None, None]


def test_stability_is_kappa_of_every_subset_with_the_whole() -> None:
    # All three: 0 1 1 0. Alone: a says 0 1 1 0, kappa 1. b says 0 1 0 0: agrees on 3 of 4, by chance
    # (3/4)(2/4) + (1/4)(2/4) = 1/2, kappa (3/4 - 1/2)/(1/2) = 0.5. c says 1 0 1 0: agrees on 2 of 4, by
    # chance 1/2, kappa 0. Mean (1 + 0.5 + 0)/3 = 0.5, least 0.
    # In pairs, a deciding: a and b say what a says, so do a and c: kappa 1 each. b and c are even on three
    # pairs and agree on the last, where both say 0: one grade only, kappa undefined and left out.
    ballots = np.array([[0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 0, 0.0]])

    one, two = stability(ballots, tie_breaker=0, scale=(0, 1))

    assert (one.size, one.subset_count, two.size, two.subset_count) == (1, 3, 2, 3)
    assert one.mean.value == pytest.approx(0.5)
    assert one.least.value == pytest.approx(0.0)
    assert (two.mean.value, two.least.value) == (1.0, 1.0)


def test_stability_is_undefined_if_all_give_one_grade() -> None:
    (one,) = stability(np.ones((3, 2)), tie_breaker=0, scale=(0, 1))

    assert one.mean.reason is Reason.ONE_GRADE
