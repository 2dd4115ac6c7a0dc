"""Favour or people's errors: verdicts by the ends of the corrected coefficient, and the tipping point."""

from dataclasses import replace

import numpy as np
import pytest

from tests.simulations.favours import Setting, favoured_track
from trackside.findings.favour import (
    _coefficient,
    _verdict,
    exposure_of,
    favour_finding,
    tipping_finding,
    visible_share,
)
from trackside.findings.results import FavourFinding
from trackside.findings.retrieved import Retrieved
from trackside.findings.run_blind import Cells
from trackside.findings.verdicts import FamilyVerdict, FavourVerdict
from trackside.statistics.estimate import Reason

ABOVE, BELOW = FamilyVerdict.ABOVE, FamilyVerdict.BELOW


@pytest.mark.parametrize(
    ("excess", "corrected", "shared", "verdict"),
    [
        (ABOVE, (0.1, 0.3), (0.05, 0.3), FavourVerdict.FAVOURS),
        (FamilyVerdict.ABOVE_WITHIN, (0.1, 0.3), (0.05, 0.3), FavourVerdict.FAVOURS),
        (ABOVE, (0.1, 0.3), (0.0, 0.3), FavourVerdict.FAVOURS_IF),
        (ABOVE, (0.0, 0.3), (0.05, 0.3), FavourVerdict.NOT_SHOWN),
        (ABOVE, (-0.3, -0.1), (-0.3, -0.1), FavourVerdict.NOT_SHOWN),
        (BELOW, (-0.3, -0.1), (-0.3, -0.05), FavourVerdict.DISFAVOURS),
        (FamilyVerdict.BELOW_WITHIN, (-0.3, -0.1), (-0.3, -0.05), FavourVerdict.DISFAVOURS),
        (BELOW, (-0.3, -0.1), (-0.3, 0.0), FavourVerdict.DISFAVOURS_IF),
        (BELOW, (-0.3, 0.0), (-0.3, -0.05), FavourVerdict.NOT_SHOWN),
        (FamilyVerdict.WITHIN, (0.1, 0.3), (0.05, 0.3), FavourVerdict.NOT_SHOWN),
        (FamilyVerdict.NOT_PRECISE, (-0.3, -0.1), (-0.3, -0.05), FavourVerdict.NOT_SHOWN),
    ],
)
def test_favour_needs_the_excess_and_both_estimates_on_one_side(
    excess: FamilyVerdict, corrected: tuple[float, float], shared: tuple[float, float], verdict: FavourVerdict
) -> None:
    assert _verdict(excess, corrected, shared) is verdict


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


def finding(setting: Setting, seed: int = 3) -> FavourFinding:
    found = favoured_track(setting, np.random.default_rng(seed)).with_second().favour
    assert found is not None
    return found


def test_favour_is_found_where_it_is_and_not_where_people_err() -> None:
    assert finding(Setting(favour=0.5)).verdict is FavourVerdict.FAVOURS
    assert finding(Setting(favour=-0.7)).verdict is FavourVerdict.DISFAVOURS
    right = finding(Setting(judge="careful"))
    assert right.verdict is FavourVerdict.NOT_SHOWN
    assert right.uncorrected is not None
    assert right.corrected is not None
    assert right.corrected < right.uncorrected


def test_corrected_and_shared_are_tied_to_the_uncorrected_estimate() -> None:
    found = finding(Setting(favour=0.2, twice=0.25))
    assert found.shared == pytest.approx(2 * (found.corrected or 0) - (found.uncorrected or 0))
    assert found.corrected_low is not None
    assert found.corrected_high is not None
    assert found.corrected_low < (found.corrected or 0) < found.corrected_high


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
    found = favour_finding(made, second, track.exposure, verdict=ABOVE, reason=None)
    assert found.corrected == pytest.approx(instrument.value + plain.value - part.value)
    assert found.corrected != pytest.approx(instrument.value)


def test_few_twice_graded_results_are_too_weak_to_decide() -> None:
    weak = finding(Setting(favour=0.5, twice=0.01))
    assert (weak.verdict, weak.reason) == (FavourVerdict.NOT_SAID, Reason.WEAK_FIRST_STAGE)
    strong = finding(Setting(favour=0.5, twice=0.25))
    assert (strong.first_stage or 0) > 5 > (weak.first_stage or 0)


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
    found = favour_finding(made, np.asarray(second), rng.normal(size=120), verdict=ABOVE, reason=None)
    assert (found.verdict, found.reason) == (FavourVerdict.NOT_SAID, reason)
    alike = replace(made, people=np.ones(120, np.int64))
    of_one_grade = favour_finding(alike, grades, rng.normal(size=120), verdict=ABOVE, reason=None)
    assert (of_one_grade.first_stage, of_one_grade.reason) == (None, Reason.CONSTANT_GRADES)
    untested = favour_finding(
        made, grades, rng.normal(size=120), verdict=ABOVE, reason=Reason.CONSTANT_GRADES
    )
    assert untested.reason is Reason.CONSTANT_GRADES
