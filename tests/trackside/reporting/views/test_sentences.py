"""Sentences outside the table of uses: other teams' runs, and what a favour would take."""

from dataclasses import replace

import pytest

from tests.trackside.reporting.views.made import family
from trackside.findings.results import OtherRuns, TakesFinding, TippingFinding
from trackside.findings.verdicts import FamilyVerdict
from trackside.reporting.views.sentences import other_runs_words, takes_words, tipping_words
from trackside.statistics.estimate import Reason


def test_other_teams_runs_are_spoken_of_from_eight_teams_on() -> None:
    few = other_runs_words(OtherRuns(team_count=7, reason=Reason.TOO_FEW_TEAMS))
    assert "nothing is said" in few
    many = other_runs_words(OtherRuns(team_count=9, low=0.2, high=0.6))
    assert "0.20 to 0.60" in many
    assert "9 teams" in many


def test_what_a_favour_would_take_stands_with_its_lower_end() -> None:
    words = takes_words(family(takes=TakesFinding(too_low=0.134, at_least=0.061)))
    assert words
    assert "unless people and the second assessor both" in words
    assert "0.13" in words
    assert "at least 0.06" in words


def test_nothing_is_said_of_a_favour_where_the_interval_holds_zero() -> None:
    for verdict in (FamilyVerdict.WITHIN, FamilyVerdict.NOT_PRECISE, FamilyVerdict.UNDEFINED):
        assert takes_words(family(verdict)) is None


@pytest.mark.parametrize(("fewest", "said"), [(66, "66 of the 83 results (80 %)"), (None, "all 83 results")])
def test_tipping_point_stands_without_a_second_assessor(fewest: int | None, said: str) -> None:
    finding = replace(family(), tipping=TippingFinding(candidate_count=83, fewest=fewest))
    assert said in (takes_words(finding) or "")


def test_tipping_point_of_no_excess_is_not_spoken_of() -> None:
    assert tipping_words(TippingFinding()) is None
