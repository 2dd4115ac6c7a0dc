"""Verdicts if the tests of a family's favour disagree: topics, teams, measures and single items."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from evaluation.core.report.design import Design, ReportRun
from evaluation.core.report.favour import within_topics
from evaluation.core.report.favour.favours import (
    _not_found,
    _unless_opposed,
    _verdict,
    find_favours,
)
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Conclusion, ConclusionCode, Number
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.families.contrasts import Contrast
from evaluation.core.statistics.permutation import PermutationTest
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.study import graded_set
from tests.simulations.simulated_tracks import Setting, draw_study

if TYPE_CHECKING:
    from evaluation.core.report.favour.favours import FamilyFavour
    from evaluation.core.report.study import Study

ALPHA = 0.05


@pytest.mark.parametrize(
    ("seed", "outcome"),
    [(0, ConclusionCode.CANNOT_TELL), (2, ConclusionCode.FAVOURS), (3, ConclusionCode.NO_SIGN)],
)
def test_excess_that_other_families_show_too_cannot_be_told(seed: int, outcome: ConclusionCode) -> None:
    found = _family_a(seed)
    topics, teams = found.found.excess.p_topics.value, found.found.excess.by_teams.p.value
    assert topics is not None
    assert teams is not None
    assert (topics <= ALPHA, teams <= ALPHA) == {
        ConclusionCode.CANNOT_TELL: (True, False),
        ConclusionCode.FAVOURS: (True, True),
        ConclusionCode.NO_SIGN: (False, False),
    }[outcome]
    assert found.verdict.outcome is outcome
    is_unclear = "other families of these teams show as much" in found.verdict.words
    assert is_unclear is (outcome is ConclusionCode.CANNOT_TELL)


def test_excess_that_is_significant_by_itself_only_is_no_sign_of_its_absence() -> None:
    """Among three hypotheses p of 0.03 is corrected to more than 0.05."""
    found = _not_found(_contrast(0.01, 0.03), "points", ALPHA)
    assert found.outcome is ConclusionCode.CANNOT_TELL
    assert found.words == "cannot be told (p 0.030 is not significant among all hypotheses)"
    assert _not_found(_contrast(0.06, 0.03), "points", ALPHA).outcome is ConclusionCode.NO_SIGN


def test_size_of_one_point_is_singular() -> None:
    found = replace(_contrast(0.06, 0.03), shown=1.2)
    words = "no sign (1 point would show in 8 of 10 cases or more, uncorrected)"
    assert _not_found(found, "points", ALPHA).words == words
    assert "2 points would" in _not_found(replace(found, shown=1.6), "points", ALPHA).words


def _contrast(topics: float, teams: float) -> Contrast:
    test = PermutationTest(Estimate.of(teams), 100, None, 0.01)
    return Contrast(Estimate.of(4.0), Interval(1.0, 7.0, 0.95), Estimate.of(topics), test, None)


STUDY = cast("Study", SimpleNamespace(design=SimpleNamespace(alpha=ALPHA, run_blind="pool")))


@pytest.mark.parametrize(
    ("found", "p", "outcome", "words"),
    [
        (_contrast(0.01, 0.01), 0.05, ConclusionCode.FAVOURS, "favours A runs by 4.0 points"),
        (_contrast(0.01, 0.01), 0.051, ConclusionCode.CANNOT_TELL, "not significant among all"),
        (_contrast(0.01, 0.01), None, ConclusionCode.NO_SIGN, "exploratory"),
        (
            replace(_contrast(0.01, 0.01), by_teams=PermutationTest(Estimate.of(0.01), 10, None, 0.1)),
            0.01,
            ConclusionCode.CANNOT_TELL,
            "2 against 3 teams; least p possible 0.10",
        ),
        (
            replace(_contrast(0.01, 0.01), p_topics=Estimate.undefined(Reason.NO_VARIATION)),
            0.01,
            ConclusionCode.CANNOT_TELL,
            "cannot be told",
        ),
    ],
)
def test_favour_is_claimed_only_if_topics_teams_and_the_corrected_p_allow_it(
    found: Contrast, p: float | None, outcome: ConclusionCode, words: str
) -> None:
    corrected = None if p is None else Number.of(Estimate.of(p))
    verdict = _verdict(STUDY, found, corrected, (2, 3), "A", "points")
    assert verdict.outcome is outcome
    assert words in verdict.words


def test_claim_is_withdrawn_only_if_every_other_estimate_has_the_opposite_sign() -> None:
    claim, value = Conclusion(ConclusionCode.FAVOURS, "favours A runs"), Estimate.of(4.0)
    for others, is_kept in (([-1.0], False), ([-1.0, 0.0], True), ([-1.0, 2.0], True), ([], True)):
        found = _unless_opposed(claim, value, [Estimate.of(each) for each in others], "why")
        assert (found is claim) is is_kept


@pytest.mark.parametrize(
    ("excess", "p", "is_kept"),
    [(4.0, 0.05, True), (4.0, 0.051, False), (-4.0, 0.01, False), (0.0, 0.01, False)],
)
def test_claim_needs_its_sign_and_a_small_p_within_topics_for_each_judge(
    monkeypatch: pytest.MonkeyPatch, excess: float, p: float, is_kept: bool
) -> None:
    """Each judge is compared with its own run-blind copies, by a measure and by items."""
    again = replace(_contrast(p, 0.01), value=Estimate.of(excess))
    monkeypatch.setattr(within_topics, "run_blind", lambda _, judge, within: (judge, within))
    monkeypatch.setattr(within_topics, "item_excess", lambda _, judge, within: (judge, within))
    monkeypatch.setattr(within_topics, "mean_excess", lambda _, items, depths: items)
    drawn: list[object] = []

    def favour_of(_: object, blind: object, *given: object) -> object:
        drawn.append(blind)
        return SimpleNamespace(excess=again)

    def contrast_of_items(_: object, grades: object, family: str) -> Contrast:
        drawn.append(grades)
        return again

    monkeypatch.setattr(within_topics, "favour_of", favour_of)
    monkeypatch.setattr(within_topics, "contrast_of_items", contrast_of_items)
    claim, found = Conclusion(ConclusionCode.FAVOURS, "favours A runs"), _contrast(0.01, 0.01)
    study = cast("Study", SimpleNamespace(design=STUDY.design, runs=[]))
    tests, any_value = within_topics.WithinTopics(study, 10), cast("Any", None)
    verdicts = [tests.of_measure(claim, found, judge, any_value, 0, any_value) for judge in (1, 2)]
    verdicts += [tests.of_items(claim, found, judge, "A") for judge in (1, 2)]
    assert [each is claim for each in verdicts] == [is_kept] * 4
    assert drawn == [(1, "topic"), (2, "topic")] * 2


@pytest.mark.parametrize("judge", ["good", "one more"])
def test_judge_whose_grade_follows_from_peoples_shows_no_sign(judge: str) -> None:
    """Its excess is 0 on every topic, so that it has no test over topics."""
    study = draw_study(Setting(12, gap=-0.3, judge=judge), 1)
    (found,) = [each for each in find_favours(study).measures if each.family == "A"]
    if judge == "one more":
        assert found.found.excess.value.value == pytest.approx(0, abs=1e-9)
        assert found.verdict.words == "no sign (it is 0, whichever topic is left out)"
    else:
        assert found.verdict.words != "no sign (it is 0, whichever topic is left out)"


def _family_a(seed: int) -> FamilyFavour:
    setting = Setting(74, is_random_family=True, favour=0.15)
    (found,) = [each for each in find_favours(draw_study(setting, seed)).measures if each.family == "A"]
    return found


@pytest.mark.parametrize(("seed", "by_measure"), [(7, True), (58, False)])
def test_judge_whose_leniency_differs_between_topics_is_not_said_to_favour(
    seed: int, by_measure: bool
) -> None:
    """It raises all grades of half of the topics by one and lowers the others; it cannot see runs.

    Run-blind judges that are drawn over all topics err alike on each: the excess over them is not 0.
    """
    setting = Setting(50, gap=-0.3, judge="one more", other_judge="one less")
    study = draw_study(setting, seed)
    found = find_favours(study)
    (measured,) = [each for each in found.measures if each.family == "A"]
    (items,) = [each for each in found.items if each.family == "A" and each.p is not None]
    tested = measured if by_measure else items
    assert tested.p is not None
    assert tested.p.value is not None
    assert tested.p.value <= ALPHA
    assert tested.verdict.outcome is ConclusionCode.CANNOT_TELL
    assert tested.verdict.words.startswith("cannot be told (against run-blind judges drawn within topics: ")
    (again,) = [
        each
        for each in find_favours(draw_study(setting, seed, draws_by="topic")).measures
        if each.family == "A"
    ]
    assert again.found.excess.value.value == pytest.approx(0)
    assert again.verdict.outcome is not ConclusionCode.FAVOURS


@pytest.mark.parametrize(
    ("measures", "by_measure", "by_items"),
    [
        (("P@1",), ConclusionCode.CANNOT_TELL, ConclusionCode.CANNOT_TELL),
        (("P@1", "P@10"), ConclusionCode.CANNOT_TELL, ConclusionCode.DISFAVOURS),
    ],
)
def test_excess_and_excess_grades_of_opposite_sign_are_no_claim(
    measures: tuple[str, ...], by_measure: ConclusionCode, by_items: ConclusionCode
) -> None:
    """The judge raises the family's first results and lowers its nine next ones.

    P@1 shows a favour and single items the opposite; P@10 agrees with the items.
    """
    found = find_favours(_opposed_study(measures))
    (first, *others) = [each for each in found.measures if each.family == "A"]
    (items,) = [each for each in found.items if each.family == "A" and each.p is not None]
    assert first.found.excess.value.value is not None
    assert first.found.excess.value.value > 20
    assert items.found.value.value is not None
    assert items.found.value.value < -0.3
    assert all(
        each.p is not None and each.p.value is not None and each.p.value <= ALPHA for each in (first, items)
    )
    assert first.verdict.outcome is by_measure
    assert "item by item, show the opposite" in first.verdict.words
    assert items.verdict.outcome is by_items
    assert [each.verdict.outcome for each in others] == [ConclusionCode.DISFAVOURS] * len(others)


def _opposed_study(measures: tuple[str, ...]) -> Study:
    """Four teams of the family retrieve the items a0 to a9, four others b0 to b9."""
    rng = np.random.default_rng(4)
    people = {
        f"T{topic:02d}": {f"{kind}{rank}": int(rng.integers(0, 3)) for kind in "ab" for rank in range(10)}
        for topic in range(80)
    }
    raised = {"a0": 2}
    judge = {
        topic: {
            docno: raised.get(docno, max(grade - (docno[0] == "a"), 0)) for docno, grade in grades.items()
        }
        for topic, grades in people.items()
    }
    runs = [
        ReportRun(f"{kind}{team}", f"{kind}{team}", (kind.upper(),)) for kind in "ab" for team in range(4)
    ]
    rankings = (
        Rankings.from_dict(
            {topic: {f"{run.tag[0]}{rank}": 10.0 - rank for rank in range(10)} for topic in people},
            tag=run.tag,
        )
        for run in runs
    )
    sets = [graded_set("people", people, "human"), graded_set("judge", judge)]
    return study_of(Design((0, 1, 2), 1, measures), runs, rankings, sets)
