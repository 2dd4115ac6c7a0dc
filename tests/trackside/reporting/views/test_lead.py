"""The lead says what can be said: it names judges that stand out, and changes with the data."""

from dataclasses import replace

import pytest

from tests.trackside.reporting.views.made import (
    FAMILY,
    MEASURE,
    ends,
    family,
    findings,
    judge,
    leader,
    order,
    second,
)
from trackside.findings.results import JudgeFindings
from trackside.findings.verdicts import FamilyVerdict, FavourVerdict, GradeVerdict, OrderVerdict
from trackside.reporting.views.lead import advice, lead
from trackside.statistics.estimate import Reason


def said(*judges: JudgeFindings) -> str:
    return lead(findings(*judges), MEASURE, FAMILY)


def honest(at: int, p: float = 0.4) -> JudgeFindings:
    return judge(f"honest{at}", families=[family(FamilyVerdict.WITHIN, p=p)])


def ordering(name: str, verdict: OrderVerdict, tau: float | None = None) -> JudgeFindings:
    finding = order(verdict)
    return judge(name, order=finding if tau is None else replace(finding, tau=tau))


def test_lead_changes_with_the_order_of_a_single_judge() -> None:
    words = {verdict: said(ordering("judge", verdict)) for verdict in OrderVerdict}
    assert len(set(words.values())) == len(OrderVerdict)
    assert all("16 runs" in said for said in words.values())
    assert "almost" in words[OrderVerdict.ALMOST]
    assert "reverse" in words[OrderVerdict.REVERSE]
    assert "differences" in words[OrderVerdict.DIFFERENCES]
    assert "almost" not in words[OrderVerdict.DIFFERENCES]
    assert "0.34" in words[OrderVerdict.NO_RELATION]  # the most that tau may be
    assert "10 topics" in words[OrderVerdict.UNDEFINED]


def test_lead_names_the_judges_of_the_best_verdict_and_the_best_first() -> None:
    words = said(
        ordering("fair", OrderVerdict.DIFFERENCES),
        ordering("good", OrderVerdict.ALMOST, 0.90),
        ordering("best", OrderVerdict.ALMOST, 0.95),
    )
    assert "best and good order these" in words
    assert "fair" not in words
    assert "almost" in words


def test_lead_tells_of_a_judge_in_reverse_beside_good_ones() -> None:
    good, bad = ordering("good", OrderVerdict.DIFFERENCES), ordering("bad", OrderVerdict.REVERSE)
    assert "bad" in said(good, bad)
    assert "reverse" in said(good, bad)
    assert "reverse" not in said(good)


def test_lead_on_unrelated_judges_gives_the_highest_end_and_its_judge() -> None:
    low, high = ordering("low", OrderVerdict.NO_RELATION), ordering("high", OrderVerdict.NO_RELATION)
    high = replace(high, orders=(replace(high.order(MEASURE), high=0.41),))
    assert "0.41 (high)" in said(low, high)
    assert "0.41" not in said(low)


def test_many_judges_are_counted_but_not_all_named() -> None:
    words = said(*(ordering(f"judge{at}", OrderVerdict.ALMOST, 0.9 - at / 100) for at in range(6)))
    assert "judge0" in words
    assert "judge5" not in words
    assert "4 more" in words


@pytest.mark.parametrize(
    ("verdicts", "is_in", "is_out"),
    [
        ([GradeVerdict.NOT_WORSE, GradeVerdict.WORSE], "no worse", "Every judge"),
        ([GradeVerdict.WORSE, GradeVerdict.WORSE], "Every judge", "no worse"),
        ([GradeVerdict.WORSE, GradeVerdict.NOT_PRECISE], "judge0 grades pairs worse", "Every judge"),
        ([GradeVerdict.NOT_PRECISE, GradeVerdict.NOT_PRECISE], "order", "second assessor"),
        ([GradeVerdict.NOT_SAID, GradeVerdict.NOT_SAID], "order", "second assessor"),
    ],
)
def test_lead_compares_with_the_second_assessor_where_a_verdict_is_reached(
    verdicts: list[GradeVerdict], is_in: str, is_out: str
) -> None:
    words = said(*(judge(f"judge{at}", second=second(verdict)) for at, verdict in enumerate(verdicts)))
    assert is_in in words
    assert is_out not in words


def test_planted_judge_is_named_alone_and_beside_seven_honest_ones() -> None:
    planted = judge("planted", families=[family(FamilyVerdict.ABOVE, p=0.0001)])
    for judges in ((planted,), (planted, *map(honest, range(7)))):
        words = said(*judges)
        assert f"planted rates {FAMILY} runs 24 points above" in words
        assert "Every judge" not in words


def test_honest_judges_are_not_named_for_a_family() -> None:
    words = said(*map(honest, range(7)))
    assert "honest" not in words.split("people", maxsplit=1)[1].split(".", maxsplit=1)[1]
    assert "1.3 points below and 2.7 above" in words


@pytest.mark.parametrize(("p", "is_named"), [(0.0249, True), (0.0251, False)])
def test_judge_is_accused_only_if_its_p_survives_the_number_of_judges(p: float, is_named: bool) -> None:
    chosen = judge("chosen", families=[family(FamilyVerdict.ABOVE, p=p)])
    words = said(chosen, honest(1))
    assert ("chosen rates" in words) == is_named
    assert "chosen rates" in said(chosen)


def test_small_p_without_a_verdict_accuses_nobody() -> None:
    """With several families an interval may hold 0 although p, of this family alone, is small."""
    unsure = judge("unsure", families=[family(FamilyVerdict.NOT_PRECISE, p=0.001)])
    assert "unsure rates" not in said(unsure, honest(1))


def test_lead_tells_of_judges_above_and_below() -> None:
    above = [judge(name, families=[family(FamilyVerdict.ABOVE)]) for name in ("up", "high")]
    above[1] = replace(above[1], families=(ends(family(), 31.0, 41.0),))
    below = judge("down", families=[family(FamilyVerdict.BELOW)])
    words = said(*above, below)
    assert words.index("high") < words.index("24 to 36 points above")
    assert "down rates" in words
    assert "14 points below" in words


@pytest.mark.parametrize(
    "verdict", [FavourVerdict.FAVOURS, FavourVerdict.FAVOURS_IF, FavourVerdict.NOT_SHOWN]
)
def test_lead_says_favour_only_if_it_holds_with_shared_errors_too(verdict: FavourVerdict) -> None:
    words = said(judge(families=[family(favour=verdict)]))
    assert ("favour" in words) == (verdict is FavourVerdict.FAVOURS)


def test_lead_names_those_that_favour_among_those_above() -> None:
    one = judge("one", families=[family(favour=FavourVerdict.FAVOURS)])
    other = judge("other", families=[family(favour=FavourVerdict.NOT_SHOWN)])
    assert said(one, other).endswith("favour for one.")
    assert said(one).endswith("a favour.")
    below = judge(families=[family(FamilyVerdict.BELOW, favour=FavourVerdict.DISFAVOURS)])
    assert said(below).endswith("a disfavour.")


def test_range_of_all_judges_is_the_widest() -> None:
    wide = judge("wide", families=[ends(family(FamilyVerdict.NOT_PRECISE, p=0.5), -9.0, 4.0)])
    assert "9.0 points below and 4.0 above" in said(wide, honest(1))
    assert "1.3 points below and 2.7 above" in said(honest(1))


def test_judge_with_peoples_own_grades_rates_as_they_do() -> None:
    same = replace(ends(family(FamilyVerdict.WITHIN), 0.0, 0.0), p=None)
    assert "as people's grades do" in said(judge(families=[same]))
    assert "as people's grades do" not in said(honest(1))


def test_family_that_no_judge_can_be_compared_by_is_left_out() -> None:
    assert FAMILY not in said(judge(families=[family(FamilyVerdict.UNDEFINED)]))
    assert FAMILY not in lead(findings(honest(1)), MEASURE, None)


def test_range_is_not_said_of_every_judge_if_one_has_no_interval() -> None:
    unknown = judge("unknown", families=[family(FamilyVerdict.UNDEFINED)])
    some = said(honest(1), honest(2), unknown)
    assert "Every judge" not in some
    assert f"honest1 and honest2 rate {FAMILY} runs" in some
    assert "Every judge" in said(honest(1), honest(2))


def test_advice_is_on_the_judge_nearest_to_people_and_absent_without_one() -> None:
    near, far = ordering("near", OrderVerdict.ALMOST), ordering("far", OrderVerdict.DIFFERENCES)
    words = advice(findings(far, near), MEASURE)
    assert words is not None
    assert words.startswith("near reverses 8")
    for verdict in (OrderVerdict.NO_RELATION, OrderVerdict.REVERSE, OrderVerdict.UNDEFINED):
        assert advice(findings(ordering("judge", verdict)), MEASURE) is None


@pytest.mark.parametrize(
    ("first", "others", "is_tested", "facts"),
    [
        (["r1"], ["r2", "r3"], True, ["r1 leads", "r2 and r3"]),
        (["r1"], ["r2", "r3", "r4", "r5"], True, ["r1 leads", "4 other runs"]),
        (["r1"], [], True, ["r1 leads", "every other run"]),
        (["r1", "r2"], [], True, ["r1 and r2 lead", "same mean"]),
        ([f"r{at}" for at in range(60)], [], True, ["60 runs lead", "same mean"]),
        (["r1"], [], False, ["r1 leads", "two topics"]),
        ([], [], True, ["No run"]),
    ],
)
def test_without_judges_the_lead_is_on_the_best_runs(
    first: list[str], others: list[str], is_tested: bool, facts: list[str]
) -> None:
    words = lead(findings(leaders=[leader(first, others, is_tested=is_tested)]), MEASURE, FAMILY)
    assert all(fact in words for fact in facts)
    assert "judge" not in words


def test_lead_of_a_judge_without_tau_says_why() -> None:
    none = replace(order(OrderVerdict.UNDEFINED), tau=None, reason=Reason.ALL_RUNS_EQUAL)
    assert Reason.ALL_RUNS_EQUAL.words in said(judge(order=none))


def test_lead_begins_with_people_who_do_not_agree() -> None:
    """By the ends of the second assessor's kappa; without judges, too."""
    made = findings(honest(1), leaders=[leader(first=("r00",))])
    (people,) = made.yardsticks
    chance = replace(people, grades=replace(people.grades, kappa=0.02, low=-0.06, high=0.10))
    assert "People do not agree" not in lead(made, MEASURE, FAMILY)
    for judges in (made.judges, ()):
        words = lead(replace(made, judges=judges, yardsticks=(chance,)), MEASURE, FAMILY)
        assert words.startswith("People do not agree")
        assert "0.02" in words


def test_lead_tells_of_a_second_assessor_who_gave_one_grade() -> None:
    """Then kappa is 0 without each topic, and has no interval."""
    made = findings(honest(1))
    (people,) = made.yardsticks
    grades = replace(people.grades, kappa=0.0, low=None, high=None, reason=Reason.NO_VARIATION)
    words = lead(replace(made, yardsticks=(replace(people, grades=grades),)), MEASURE, FAMILY)
    assert words.startswith("People do not agree")
    for other in (replace(grades, kappa=1.0), replace(grades, reason=Reason.TOO_FEW_TOPICS)):
        words = lead(replace(made, yardsticks=(replace(people, grades=other),)), MEASURE, FAMILY)
        assert "People do not agree" not in words
