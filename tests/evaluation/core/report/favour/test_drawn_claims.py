"""Claims of favour in drawn tracks, whose truth is known."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.favour.favours import FOUND, find_favours
from evaluation.core.report.favour.reversal import CONDITIONAL
from evaluation.core.report.tables import ConclusionCode
from tests.marks import quick_only
from tests.simulations.favours import outcomes_of
from tests.simulations.simulated_tracks import Setting, draw_study

ALPHA = 0.05
JUDGES = ("lenient", "harsh", "noisy")


@pytest.mark.parametrize("judge", quick_only(JUDGES, ["lenient"]))
def test_judge_that_cannot_see_runs_is_seldom_said_to_favour_the_weaker_family(judge: str) -> None:
    """A lenient judge lifts the weaker family by many points of Relative Delta, and favours nobody."""
    tracks, said = 40, 0
    for seed in range(tracks):
        study = draw_study(Setting(25, gap=-0.3, judge=judge), 1000 + seed)
        said += not set(FOUND).isdisjoint(outcomes_of(find_favours(study)))
    assert said <= stats.binom.ppf(0.999, tracks, ALPHA)


@pytest.mark.parametrize("gap", quick_only([-0.3, 0.3], [-0.3]))
def test_judge_that_is_right_where_people_err_is_seldom_said_to_favour_without_a_condition(
    gap: float,
) -> None:
    """Better runs find items that people missed; the judge grades these truly and cannot see runs."""
    tracks, said = 40, 0
    for seed in range(tracks):
        study = draw_study(Setting(50, gap=gap, judge="right", assessor="good"), 2000 + seed)
        said += not set(CONDITIONAL).isdisjoint(outcomes_of(find_favours(study)))
    assert said <= stats.binom.ppf(0.999, tracks, ALPHA)


def test_judge_that_raises_the_weaker_familys_items_is_said_to_favour_it_by_measure_and_by_items() -> None:
    found = find_favours(draw_study(Setting(50, gap=-0.3, favour=0.6), 3))
    (by_measure,) = [each for each in found.measures if each.family == "A"]
    (by_items,) = [each for each in found.items if each.family == "A" and each.p is not None]
    assert by_measure.verdict.outcome is by_items.verdict.outcome is ConclusionCode.FAVOURS
    assert by_measure.verdict.words.startswith("favours A runs by ")
    assert by_items.verdict.words.startswith("over-grades what A runs retrieve by ")


def test_favour_to_the_better_family_is_said_with_the_condition_that_people_do_not_err() -> None:
    found = find_favours(draw_study(Setting(50, gap=0.3, favour=0.6), 3))
    (by_measure,) = [each for each in found.measures if each.family == "A"]
    assert by_measure.verdict.outcome is ConclusionCode.FAVOURS_UNLESS_PEOPLE_ERR
    assert re.fullmatch(
        r"favours A runs by \d+\.\d points \(unless people err: in reverse [+−-]\d\.\d\d grades, p .+\)",
        by_measure.verdict.words,
    )


@pytest.mark.parametrize("judge", quick_only(JUDGES, ["lenient"]))
def test_excess_and_excess_grades_of_a_true_favour_have_one_sign(judge: str) -> None:
    """Both ways to measure a favour must agree on its direction, whatever the judge's leniency."""
    for seed in range(8):
        found = find_favours(draw_study(Setting(50, gap=-0.3, judge=judge, favour=0.5), 50 + seed))
        by_family = {each.family: each.found.excess.value.value for each in found.measures}
        for each in found.items:
            value, excess = each.found.value.value, by_family[each.family]
            assert value is not None
            assert excess is not None
            assert np.sign(value) == np.sign(excess) == (1 if each.family == "A" else -1)


@pytest.mark.whole
def test_favour_a_little_below_what_would_show_is_found_in_8_of_10_cases_or_more() -> None:
    studies = (draw_study(Setting(25, favour=0.5), seed) for seed in range(60))
    found = [
        next(each.found.excess for each in find_favours(study).measures if each.family == "A")
        for study in studies
    ]
    sizes = [each.value.value for each in found if each.value.value is not None]
    shown = [each.shown for each in found if each.shown is not None]
    assert len(sizes) == len(shown) == len(found)
    assert 0.85 * np.mean(shown) < np.mean(sizes) < np.mean(shown)
    assert np.mean([each.p.value is not None and each.p.value <= ALPHA for each in found]) >= 0.8
