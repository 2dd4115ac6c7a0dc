"""Verdicts if a family's excess is not significant against both topics and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from evaluation.core.report.favours import find_favours
from evaluation.core.report.findings import ConclusionCode
from tests.simulations.simulated_tracks import Setting, draw_study

if TYPE_CHECKING:
    from evaluation.core.report.favours import FamilyFavour

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


def _family_a(seed: int) -> FamilyFavour:
    setting = Setting(74, is_random_family=True, favour=0.15)
    (found,) = [each for each in find_favours(draw_study(setting, seed)).measures if each.family == "A"]
    return found
