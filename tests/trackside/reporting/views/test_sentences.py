"""Each form of sentence appears for its verdict and for no other, and holds the numbers of the finding."""

import re
from dataclasses import replace

import pytest

from tests.trackside.reporting.views.made import (
    FAMILY,
    PAIRS,
    POINTS,
    TAUS,
    ends,
    family,
    grades,
    order,
    second,
)
from trackside.findings.results import FamilyFinding, OtherRuns, RunPairs, SecondTau, TippingFinding
from trackside.findings.verdicts import (
    FamilyVerdict,
    FavourVerdict,
    GeneralVerdict,
    GradeVerdict,
    OrderVerdict,
)
from trackside.reporting.views.sentences import (
    family_words,
    favour_words,
    general_words,
    grades_words,
    order_words,
    other_runs_words,
    pairs_words,
    second_tau_words,
    second_words,
    tipping_words,
)
from trackside.statistics.estimate import Reason

ORDER_FORMS = {
    OrderVerdict.ALMOST: "almost as people",
    OrderVerdict.DIFFERENCES: "with differences",
    OrderVerdict.NO_RELATION: "not shown to be related",
    OrderVerdict.REVERSE: "in reverse",
    OrderVerdict.UNDEFINED: "needs 10 topics",
}


def numbers(text: str) -> list[str]:
    """The numbers of a sentence, in their order."""
    return re.findall(r"[−]?\d+(?:\.\d+)?", text)


def test_each_order_has_its_own_form_with_tau_and_both_ends() -> None:
    for verdict, form in ORDER_FORMS.items():
        words = order_words(order(verdict))
        assert [each for each in ORDER_FORMS.values() if each in words] == [form]
        assert "16" in numbers(words)
        for value in TAUS.get(verdict, (0.52,)):
            assert f"{value:.2f}".replace("-", "−") in numbers(words)


def test_order_without_tau_says_why() -> None:
    undefined = replace(order(OrderVerdict.UNDEFINED), tau=None, reason=Reason.ALL_RUNS_EQUAL)
    assert Reason.ALL_RUNS_EQUAL.words in order_words(undefined)
    assert "tau" not in order_words(undefined)
    hanging = replace(order(OrderVerdict.UNDEFINED), topic_count=74, reason=Reason.NO_REPLICATES)
    assert Reason.NO_REPLICATES.words in order_words(hanging)


@pytest.mark.parametrize("reversed_count", [0, 8])
def test_pairs_are_counted_as_they_are(reversed_count: int) -> None:
    words = pairs_words(replace(order(), pairs=replace(PAIRS, reversed=reversed_count)))
    assert words is not None
    assert numbers(words) == [str(reversed_count), "81", "21", "3"]
    assert "3 further pairs" in words


def test_pairs_without_any_that_people_tell_apart_are_not_said_to_be_reversed() -> None:
    nothing = RunPairs(told=0, kept=0, reversed=0, missed=0, added=4)
    words = pairs_words(replace(order(), pairs=nothing))
    assert words is not None
    assert "revers" not in words
    assert words.endswith("tells 4 pairs apart")
    untold = pairs_words(replace(order(), pairs=replace(nothing, added=0)))
    assert untold is not None
    assert numbers(untold) == []
    assert "tell none apart" in untold
    assert pairs_words(replace(order(), pairs=None)) is None
    none_kept = pairs_words(replace(order(), pairs=replace(nothing, told=6, missed=6)))
    assert none_kept is not None
    assert "leaves 6 undecided" in none_kept


def test_other_teams_runs_are_spoken_of_from_eight_teams_on() -> None:
    few = other_runs_words(OtherRuns(team_count=7, reason=Reason.TOO_FEW_TEAMS))
    assert numbers(few) == ["7"]
    assert "nothing is said" in few
    many = other_runs_words(OtherRuns(team_count=8, low=0.31, high=0.72))
    assert {"0.31", "0.72", "8"} <= set(numbers(many))
    assert "nothing is said" not in many
    hanging = other_runs_words(OtherRuns(team_count=9, reason=Reason.HANGS_ON_ONE_TEAM))
    assert Reason.HANGS_ON_ONE_TEAM.words in hanging


def test_kappa_is_said_with_its_ends_or_why_there_is_none() -> None:
    assert numbers(grades_words(grades(0.31))) == ["0.31", "0.26", "0.35"]
    assert numbers(grades_words(replace(grades(0.31), low=None, high=None))) == ["0.31"]
    assert Reason.CONSTANT_GRADES.words in grades_words(grades(None))


SECOND_FORMS = {
    GradeVerdict.NOT_WORSE: r"no worse than",
    GradeVerdict.WORSE: r"(?<!no) worse than",
    GradeVerdict.NOT_PRECISE: r"differs from",
}


def beside_second(verdict: GradeVerdict, *, is_tau: bool) -> str:
    """The sentence on grades, or on the order."""
    found = second(verdict)
    if not is_tau:
        return second_words(found) or ""
    tau = replace(
        found.tau,
        judge_tau=0.36,
        second_tau=0.47,
        low_difference=found.low_difference,
        high_difference=found.high_difference,
        verdict=verdict,
    )
    return second_tau_words(tau) or ""


@pytest.mark.parametrize("is_tau", [False, True])
def test_each_verdict_on_the_second_assessor_has_its_own_form(is_tau: bool) -> None:
    for verdict, form in SECOND_FORMS.items():
        words = beside_second(verdict, is_tau=is_tau)
        assert [each for each in SECOND_FORMS.values() if re.search(each, words)] == [form]
        assert {"0.36", "0.47"} <= set(numbers(words))
        assert words.startswith(("differs", "orders the runs" if is_tau else "grades pairs"))
        assert ("310" in words, "tau" in words, "kappa" in words) == (not is_tau, is_tau, not is_tau)
    assert {"−0.10", "0.03"} <= set(numbers(beside_second(GradeVerdict.NOT_PRECISE, is_tau=is_tau)))


def test_order_is_not_said_beside_a_second_assessor_without_tau_or_verdict() -> None:
    assert second_tau_words(SecondTau(verdict=GradeVerdict.NOT_SAID)) is None
    assert beside_second(GradeVerdict.NOT_SAID, is_tau=True) == ""


def test_nothing_is_said_of_a_second_assessor_who_is_not_there() -> None:
    assert second_words(second()) is None
    untold = second_words(second(GradeVerdict.NOT_SAID, Reason.TOO_FEW_TOPICS))
    assert untold is not None
    assert Reason.TOO_FEW_TOPICS.words in untold
    assert not any(re.search(form, untold) for form in SECOND_FORMS.values())


def test_verdict_on_the_second_assessor_needs_no_kappas() -> None:
    constant = replace(second(GradeVerdict.NOT_SAID, Reason.CONSTANT_GRADES), kappa=None, second_kappa=None)
    words = second_words(constant)
    assert words is not None
    assert "kappa" not in words


@pytest.mark.parametrize("verdict", POINTS)
def test_both_ends_of_an_excess_are_always_said(verdict: FamilyVerdict) -> None:
    _, low, high = POINTS[verdict]
    words = family_words(family(verdict), 5.0)
    decimals = 0 if max(abs(low), abs(high)) >= 10 else 1
    assert {f"{abs(low):.{decimals}f}", f"{abs(high):.{decimals}f}"} <= set(numbers(words))
    assert FAMILY in words


def test_excess_above_and_below_are_told_apart() -> None:
    above, below = (family_words(family(each), 5.0) for each in (FamilyVerdict.ABOVE, FamilyVerdict.BELOW))
    assert "24 points above" in above
    assert "below" not in above
    assert "14 points below" in below
    assert "above" not in below
    assert below.index("7") < below.index("21")  # the nearer end first


def test_small_excess_names_the_margin_and_a_large_one_does_not() -> None:
    for verdict in (FamilyVerdict.ABOVE_WITHIN, FamilyVerdict.BELOW_WITHIN, FamilyVerdict.WITHIN):
        assert "at most 6" in family_words(family(verdict), 6.0)
    for verdict in (FamilyVerdict.ABOVE, FamilyVerdict.BELOW, FamilyVerdict.NOT_PRECISE):
        assert "at most" not in family_words(family(verdict), 6.0)


def test_interval_that_holds_zero_is_said_to_lie_on_both_sides() -> None:
    for verdict in (FamilyVerdict.WITHIN, FamilyVerdict.NOT_PRECISE):
        words = family_words(family(verdict), 5.0)
        assert "below" in words
        assert "above" in words
        assert "beyond its leniency" not in words


def test_judge_with_peoples_own_grades_rates_exactly_as_they_do() -> None:
    same = ends(family(FamilyVerdict.WITHIN), 0.0, 0.0)
    assert "exactly" in family_words(same, 5.0)
    assert "exactly" not in family_words(family(FamilyVerdict.WITHIN), 5.0)


def test_family_that_cannot_be_compared_says_why() -> None:
    words = family_words(family(FamilyVerdict.UNDEFINED), 5.0)
    assert Reason.CONSTANT_GRADES.words in words
    assert numbers(words) == []


def test_tiny_excess_is_not_rounded_to_zero() -> None:
    tiny = ends(family(FamilyVerdict.ABOVE_WITHIN), 0.02, 0.06)
    assert {"0.02", "0.04", "0.06"} <= set(numbers(family_words(tiny, 5.0)))


FAVOUR_FORMS = {
    FavourVerdict.FAVOURS: r"^favours them by",
    FavourVerdict.FAVOURS_IF: r"^favours them, if",
    FavourVerdict.DISFAVOURS: r"^disfavours them by",
    FavourVerdict.DISFAVOURS_IF: r"^disfavours them, if",
    FavourVerdict.NOT_SHOWN: r"not shown",
}


def with_favour(verdict: FavourVerdict) -> FamilyFinding:
    is_below = verdict in (FavourVerdict.DISFAVOURS, FavourVerdict.DISFAVOURS_IF)
    return family(FamilyVerdict.BELOW if is_below else FamilyVerdict.ABOVE, favour=verdict)


def test_each_favour_has_its_own_form_with_its_grades() -> None:
    for verdict, form in FAVOUR_FORMS.items():
        words = favour_words(with_favour(verdict))
        assert words is not None
        assert [each for each in FAVOUR_FORMS.values() if re.search(each, words)] == [form]
        assert {"0.21", "0.11", "0.31"} <= set(numbers(words))
        assert ("independent" in words) == (
            verdict in (FavourVerdict.FAVOURS_IF, FavourVerdict.DISFAVOURS_IF)
        )


def test_favour_is_not_spoken_of_where_the_interval_holds_zero() -> None:
    for verdict in (FamilyVerdict.WITHIN, FamilyVerdict.NOT_PRECISE, FamilyVerdict.UNDEFINED):
        assert favour_words(family(verdict, favour=FavourVerdict.FAVOURS)) is None
        assert favour_words(family(verdict)) is None
    assert favour_words(replace(family(), favour=None)) is None


def test_favour_that_the_second_assessor_cannot_decide_says_why() -> None:
    weak = family(favour=FavourVerdict.NOT_SHOWN)
    assert weak.favour is not None
    weak = replace(
        weak,
        favour=replace(weak.favour, verdict=FavourVerdict.NOT_SAID, reason=Reason.WEAK_FIRST_STAGE),
    )
    words = favour_words(weak)
    assert words is not None
    assert Reason.WEAK_FIRST_STAGE.words in words
    assert not any(re.search(form, words) for form in FAVOUR_FORMS.values())


def test_tipping_point_stands_for_a_second_assessor_who_is_not_there() -> None:
    words = favour_words(family())
    assert words is not None
    assert numbers(words) == ["66", "83", "80"]
    with_second = favour_words(family(favour=FavourVerdict.FAVOURS))
    assert with_second is not None
    assert "83" not in with_second


def test_excess_that_no_errors_end_says_so() -> None:
    words = tipping_words(TippingFinding(candidate_count=83, fewest=None))
    assert words is not None
    assert "all 83" in words
    assert tipping_words(TippingFinding(candidate_count=0)) is None
    assert tipping_words(TippingFinding()) is None
    assert tipping_words(None) is None


def test_other_teams_gain_is_said_shown_or_not_shown() -> None:
    above = general_words(family(general=GeneralVerdict.SHOWN))
    below = general_words(family(FamilyVerdict.BELOW, general=GeneralVerdict.SHOWN))
    unshown = general_words(family(general=GeneralVerdict.NOT_SHOWN))
    assert above is not None
    assert below is not None
    assert unshown is not None
    assert ("above" in above, "below" in above) == (True, False)
    assert ("above" in below, "below" in below) == (False, True)
    assert "not shown" in unshown
    assert all("0.013" in words for words in (above, below, unshown))


def test_other_teams_gain_is_not_spoken_of_without_an_excess_or_a_test() -> None:
    assert general_words(family()) is None
    for verdict in (FamilyVerdict.WITHIN, FamilyVerdict.NOT_PRECISE):
        assert general_words(family(verdict, general=GeneralVerdict.NOT_SHOWN)) is None
