import numpy as np
import pytest

from trackside.judging.ensembles.ballots import MemberAgreement, agreement, combine
from trackside.judging.inputs import Gap

NAN = float("nan")


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
