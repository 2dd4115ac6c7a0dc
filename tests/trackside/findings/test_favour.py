"""What a favour would take: by both directions of the instrument, and the tipping point."""

from dataclasses import replace

import numpy as np
import pytest

from tests.simulations.takes import Setting, favoured_track
from trackside.findings.favour import (
    _coefficient,
    _unsaid,
    exposure_of,
    takes_finding,
    tipping_finding,
    visible_share,
)
from trackside.findings.results import DirectionFinding, TakesFinding
from trackside.findings.retrieved import Retrieved
from trackside.findings.run_blind import Cells
from trackside.findings.verdicts import FamilyVerdict
from trackside.statistics.estimate import Reason

ABOVE, BELOW = FamilyVerdict.ABOVE, FamilyVerdict.BELOW


def direction(low: float = 0.1, slope: float = 0.8, first_stage: float = 20.0) -> DirectionFinding:
    return DirectionFinding(corrected=0.2, low=low, high=0.3, slope=slope, first_stage=first_stage)


@pytest.mark.parametrize(
    ("verdict", "directions", "reason"),
    [
        (ABOVE, (direction(), direction()), None),
        (FamilyVerdict.ABOVE_WITHIN, (direction(), direction()), None),
        (BELOW, (direction(), direction()), Reason.NOT_ABOVE_ZERO),
        (FamilyVerdict.NOT_PRECISE, (direction(), direction()), Reason.NOT_ABOVE_ZERO),
        (ABOVE, (direction(), direction(low=0.0)), Reason.NOT_ABOVE_ZERO),
        (ABOVE, (direction(low=-0.1), direction()), Reason.NOT_ABOVE_ZERO),
        (ABOVE, (direction(slope=0.2), direction(first_stage=5.0)), None),
        (ABOVE, (direction(), direction(slope=0.19)), Reason.FLAT_JUDGE),
        (ABOVE, (direction(first_stage=4.9), direction()), Reason.WEAK_FIRST_STAGE),
    ],
)
def test_errors_are_said_only_if_both_directions_allow_it(
    verdict: FamilyVerdict, directions: tuple[DirectionFinding, ...], reason: Reason | None
) -> None:
    assert _unsaid(verdict, *directions) is reason


def test_exposure_is_the_familys_share_of_first_tens_less_the_others() -> None:
    """Two runs of the family, three others; the family has the last pair at the eleventh rank alone."""
    ranked = [[0, 1, 3], [0, 3], [0, 2], [2], [1]]
    results = [
        Retrieved(np.array(pairs), np.array([10 if pair == 3 else pair for pair in pairs]), np.array([99]))
        for pairs in ranked
    ]
    exposure = exposure_of(results, np.array([True, True, False, False, False]), 4)
    assert exposure == pytest.approx([1 - 1 / 3, 1 / 2 - 1 / 3, -2 / 3, 0])


def cells(people: list[int], judge: list[int]) -> Cells:
    return Cells(np.zeros(len(people), np.int64), np.array(people), np.array(judge), 1)


def test_visible_share_falls_as_a_grade_holds_the_familys_results_alone() -> None:
    """Of three results with grade 1, two are the family's; the one with grade 0 has no other to compare."""
    exposure = np.array([0.5, 0.5, -0.5, 0.5])
    assert visible_share(cells([1, 1, 1, 0], [1, 1, 1, 1]), exposure) == pytest.approx(1 - (2 / 3 + 1) / 3)
    assert visible_share(cells([1, 1], [1, 1]), np.array([-0.5, 0.0])) is None


def test_tipping_point_takes_the_most_telling_results_first() -> None:
    """The judge raises two of the family's three results; giving people's one as well ends the excess."""
    exposure = np.array([0.6, 0.4, 0.2, -0.4, -0.4, -0.4])
    found = tipping_finding(cells([0] * 6, [2, 1, 0, 0, 0, 0]), exposure, np.arange(6))
    assert (found.candidate_count, found.fewest, found.share) == (2, 2, 1.0)
    mirrored = tipping_finding(cells([0] * 6, [2, 1, 0, 0, 0, 0]), -exposure, np.arange(6))
    assert mirrored == found
    nothing = tipping_finding(cells([0] * 6, [1] * 6), exposure, np.arange(6))
    assert (nothing.candidate_count, nothing.fewest, nothing.share) == (None, None, None)


def finding(setting: Setting, seed: int = 3) -> TakesFinding:
    found = favoured_track(setting, np.random.default_rng(seed)).with_second().takes
    assert found is not None
    return found


def test_errors_are_said_where_the_judge_favours_and_not_where_people_err_at_random() -> None:
    said = finding(Setting(favour=0.5))
    assert said.people is not None
    assert said.second is not None
    directions = (said.people, said.second)
    assert said.too_low == min(one.corrected / one.slope for one in directions)
    assert said.at_least == min(one.low / one.slope for one in directions)
    right = finding(Setting(judge="careful"))
    assert (right.too_low, right.at_least, right.reason) == (None, None, Reason.NOT_ABOVE_ZERO)
    assert finding(Setting(favour=-0.7)).reason is Reason.NOT_ABOVE_ZERO


def test_corrected_adds_what_all_pairs_differ_from_those_graded_twice() -> None:
    track = favoured_track(Setting(favour=0.2, twice=0.25), np.random.default_rng(3))
    people, judge, second = track.study.grades
    made = Cells(track.study.topic_of_pair, people, judge, len(track.study.topics))
    is_twice, every = second >= 0, np.ones(second.size, dtype=np.bool_)
    plain, part, instrument = (
        _coefficient(made, grades, track.exposure, chosen)
        for grades, chosen in ((people, every), (people, is_twice), (second, is_twice))
    )
    assert plain is not None
    assert part is not None
    assert instrument is not None
    found = takes_finding(made, second, track.exposure, verdict=ABOVE, reason=None)
    assert found.people is not None
    assert found.people.corrected == pytest.approx(instrument.value + plain.value - part.value)
    assert found.people.corrected != pytest.approx(instrument.value)


def test_few_twice_graded_results_are_too_weak_to_decide() -> None:
    weak = finding(Setting(favour=0.5, twice=0.01))
    assert (weak.too_low, weak.reason) == (None, Reason.WEAK_FIRST_STAGE)


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (np.full(120, -1), Reason.NO_SHARED_PAIR),
        (np.where(np.arange(120) < 90, 1, -1), Reason.TOO_FEW_TOPICS),
        (np.ones(120, np.int64), Reason.CONSTANT_GRADES),
    ],
)
def test_what_the_second_assessor_cannot_decide_has_a_reason(second: object, reason: Reason) -> None:
    rng = np.random.default_rng(1)
    grades = rng.integers(0, 2, 120)
    made = Cells(np.repeat(np.arange(12), 10), grades, grades, 12)
    exposure = rng.normal(size=120)
    assert takes_finding(made, np.asarray(second), exposure, verdict=ABOVE, reason=None).reason is reason
    alike = replace(made, people=np.ones(120, np.int64))
    of_one_grade = takes_finding(alike, grades, exposure, verdict=ABOVE, reason=None)
    assert (of_one_grade.people, of_one_grade.reason) == (None, Reason.CONSTANT_GRADES)
    untested = takes_finding(made, grades, exposure, verdict=ABOVE, reason=Reason.CONSTANT_GRADES)
    assert untested.reason is Reason.CONSTANT_GRADES
