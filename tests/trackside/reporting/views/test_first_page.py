"""The first page: one row a judge with what follows for its use, and what may not be said."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.trackside.reporting.views.made import (
    FAMILY,
    MEASURE,
    PAIRS,
    ends,
    family,
    findings,
    grades,
    judge,
    leader,
    order,
    second,
)
from trackside.findings.results import FamilyFinding, OtherRuns
from trackside.findings.verdicts import FamilyVerdict, GradeVerdict, Margins, OrderVerdict
from trackside.reporting.views.first_page import Tone, first_page, front_page, so_of
from trackside.statistics.estimate import Reason


def so(
    verdict: OrderVerdict, of: FamilyVerdict, second_verdict: GradeVerdict = GradeVerdict.NOT_SAID
) -> tuple[Tone, str, str]:
    finding = family(of)
    chosen = judge(order=order(verdict), second=second(second_verdict), families=[finding])
    found = so_of(chosen, MEASURE, finding, 5.0)
    return found.tone, found.words, found.reason


@pytest.mark.parametrize(
    ("verdict", "of", "tone", "facts"),
    [
        (OrderVerdict.ALMOST, FamilyVerdict.WITHIN, Tone.OK, ["order of runs", "within ±5 points"]),
        (
            OrderVerdict.DIFFERENCES,
            FamilyVerdict.NOT_PRECISE,
            Tone.OK,
            ["order of runs", "7.3 below", "5.4 above"],
        ),
        (OrderVerdict.DIFFERENCES, FamilyVerdict.UNDEFINED, Tone.OK, ["order of runs", "reverses 8 of 81"]),
        (OrderVerdict.ALMOST, FamilyVerdict.ABOVE, Tone.WARN, ["not fit", "lifts", "reverses 8 of 81"]),
        (OrderVerdict.ALMOST, FamilyVerdict.BELOW, Tone.WARN, ["not fit", "lowers"]),
        (OrderVerdict.NO_RELATION, FamilyVerdict.WITHIN, Tone.NONE, ["no relation shown"]),
        (OrderVerdict.NO_RELATION, FamilyVerdict.ABOVE, Tone.BAD, ["no relation shown", "lifts"]),
        (OrderVerdict.REVERSE, FamilyVerdict.WITHIN, Tone.BAD, ["not fit", "in reverse"]),
        (OrderVerdict.REVERSE, FamilyVerdict.ABOVE, Tone.BAD, ["not fit", "lifts", "in reverse"]),
        (OrderVerdict.UNDEFINED, FamilyVerdict.UNDEFINED, Tone.NONE, ["cannot be compared", "8 topics"]),
    ],
)
def test_what_follows_for_a_judge_follows_its_verdicts(
    verdict: OrderVerdict, of: FamilyVerdict, tone: Tone, facts: list[str]
) -> None:
    found, words, reason = so(verdict, of)
    assert found is tone
    assert all(fact in f"{words}: {reason}" for fact in facts)


def test_topics_of_a_judge_are_counted_only_where_they_are_too_few() -> None:
    equal = judge(order=replace(order(OrderVerdict.UNDEFINED), topic_count=74, reason=Reason.ALL_RUNS_EQUAL))
    assert so_of(equal, MEASURE, None, 5.0).reason == Reason.ALL_RUNS_EQUAL.words


def test_use_without_a_relation_is_said_of_tau_where_no_pair_is_reversed() -> None:
    unrelated = order(OrderVerdict.NO_RELATION)
    assert so_of(judge(order=unrelated), MEASURE, None, 5.0).reason == "reverses 8 of 81 pairs"
    kept = replace(unrelated, pairs=replace(PAIRS, reversed=0))
    assert so_of(judge(order=kept), MEASURE, None, 5.0).reason == "tau may be 0"


def test_page_warns_of_three_runs_whose_ids_hardly_meet_and_counts_further_ones() -> None:
    made = findings(judge())
    for count, further in ((0, []), (3, []), (5, ["and 2 further runs like these"])):
        unmet = tuple(f"run{at}: none of its topics" for at in range(count))
        page = first_page(replace(made, facts=replace(made.facts, unmet=unmet)), MEASURE, None)
        assert list(page.warnings) == [*unmet[:3], *further]


def test_small_excess_does_not_make_a_judge_unfit() -> None:
    for of in (FamilyVerdict.ABOVE_WITHIN, FamilyVerdict.BELOW_WITHIN):
        assert so(OrderVerdict.ALMOST, of)[0] is Tone.OK


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (GradeVerdict.NOT_WORSE, "order and grades"),
        (GradeVerdict.WORSE, "order, not grades"),
        (GradeVerdict.NOT_PRECISE, "order of runs"),
        (GradeVerdict.NOT_SAID, "order of runs"),
    ],
)
def test_use_for_grades_follows_the_second_assessor(verdict: GradeVerdict, words: str) -> None:
    assert so(OrderVerdict.ALMOST, FamilyVerdict.WITHIN, verdict)[1] == words


def test_rows_are_ordered_by_tau_with_those_on_few_topics_last() -> None:
    judges = [
        judge("few", order=replace(order(OrderVerdict.UNDEFINED), tau=0.99)),
        judge("bad", order=order(OrderVerdict.REVERSE)),
        judge("good", order=order(OrderVerdict.ALMOST)),
    ]
    page = first_page(findings(*judges), MEASURE, None)
    assert [row.name for row in page.judges] == ["good", "bad", "few"]
    assert [row.name for row in page.yardsticks] == ["second"]
    assert page.yardsticks[0].so is None


def test_row_shows_numbers_with_their_ends_and_why_there_are_none() -> None:
    page = first_page(findings(judge(families=[family()])), MEASURE, FAMILY)
    (row,) = page.judges
    assert row.excess is not None
    assert (row.tau.text, row.tau.ends) == ("0.47", "0.33 to 0.58")
    assert (row.excess.text, row.excess.ends) == ("+24.2", "+19.3 to +30.1")
    assert row.kappa.text == "0.31"
    constant = replace(
        judge(order=order(OrderVerdict.UNDEFINED), families=[family(FamilyVerdict.UNDEFINED)]),
        grades=grades(None),
    )
    (row,) = first_page(findings(constant), MEASURE, FAMILY).judges
    assert row.excess is not None
    assert (row.kappa.text, row.kappa.ends) == ("–", Reason.CONSTANT_GRADES.words)
    assert row.tau.ends == Reason.TOO_FEW_TOPICS.words
    assert row.excess.ends == Reason.CONSTANT_GRADES.words


def test_tiny_excess_above_zero_does_not_read_zero() -> None:
    tiny = ends(family(FamilyVerdict.ABOVE_WITHIN), 0.03, 1.17)
    (row,) = first_page(findings(judge(families=[tiny])), MEASURE, FAMILY).judges
    assert row.excess is not None
    assert (row.excess.text, row.excess.ends) == ("+0.60", "+0.03 to +1.17")


def test_paragraph_names_each_judge_and_people_and_an_excess_only_if_there_is_one() -> None:
    page = first_page(findings(judge("one", families=[family()]), judge("two")), MEASURE, FAMILY)
    assert all(fact in page.paragraph for fact in ("one orders", "two orders", "16 runs", "4 teams", "9,876"))
    assert "24 points above" in page.paragraph
    honest = first_page(findings(judge(families=[family(FamilyVerdict.WITHIN)])), MEASURE, FAMILY)
    assert FAMILY not in honest.paragraph


def test_limit_is_said_once_for_all_judges_of_as_many_teams() -> None:
    page = first_page(findings(judge("one"), judge("two")), MEASURE, None)
    assert page.limit.count("4 teams") == 1
    known = replace(order(teams=9), other_runs=OtherRuns(team_count=9, low=0.2, high=0.7))
    mixed = first_page(findings(judge("one"), judge("two", order=known)), MEASURE, None)
    assert all(fact in mixed.limit for fact in ("one", "4 teams", "two", "0.20 to 0.70"))
    three = findings(judge("one"), judge("two", order=known), judge("three", order=known))
    assert first_page(three, MEASURE, None).limit.count("other teams of this kind") == 1


def test_page_without_judges_says_so() -> None:
    page = first_page(findings(leaders=[leader(["r1"])]), MEASURE, None)
    assert page.judges == ()
    assert "nDCG@10: r1 leads" in page.paragraph
    assert "no grades of models" in page.limit
    assert page.advice is None


def test_page_says_that_no_judge_is_fit_only_if_none_is() -> None:
    lifting = judge("lifting", families=[family(FamilyVerdict.ABOVE)])
    honest = judge("honest", families=[family(FamilyVerdict.WITHIN)])
    assert "No judge is shown to be fit" in (first_page(findings(lifting), MEASURE, FAMILY).advice or "")
    assert "fit" not in (first_page(findings(lifting, honest), MEASURE, FAMILY).advice or "")
    assert "fit" not in (first_page(findings(leaders=[leader(["r1"])]), MEASURE, None).advice or "")


def test_notes_print_the_margins_that_words_are_chosen_by() -> None:
    margins = Margins(order=0.7, points=6.0)
    notes = " ".join(first_page(findings(judge(families=[family()]), margins=margins), MEASURE, FAMILY).notes)
    assert "0.7" in notes
    assert "6 points" in notes
    assert "95 %" in notes
    assert "points" not in " ".join(first_page(findings(judge()), MEASURE, None).notes)


def test_notes_say_what_is_not_there() -> None:
    made = findings(judge(families=[family()]))
    alone = replace(made, yardsticks=())
    assert "no declared family" in first_page(made, MEASURE, None).notes[-1]
    assert "no second assessor" in first_page(alone, MEASURE, FAMILY).notes[-1]
    assert not any("There is" in note for note in first_page(made, MEASURE, FAMILY).notes)


def test_note_on_the_excess_has_the_levels_of_the_intervals_that_were_tested() -> None:
    """A judge without a testable family has no corrected interval, and says nothing of the others'."""
    untested = judge("constant", families=[family(FamilyVerdict.UNDEFINED)])
    two = judge("two", families=[replace(family(), level=0.975)])
    assert "97.5 % intervals" in " ".join(first_page(findings(untested, two), MEASURE, FAMILY).notes)
    both = findings(judge("one", families=[family()]), two)
    assert "95 to 97.5 % intervals" in " ".join(first_page(both, MEASURE, FAMILY).notes)


def test_first_page_is_of_clip_runs_else_of_the_family_farthest_from_zero_else_of_the_first() -> None:
    made = findings(judge(families=[replace(family(FamilyVerdict.WITHIN), family="a")]))

    def chosen(*names: str, families: Sequence[FamilyFinding] = ()) -> str | None:
        judges = (replace(made.judges[0], families=tuple(families)),)
        return front_page(replace(made, facts=replace(made.facts, families=names), judges=judges)).family

    near = replace(ends(family(), 1.0, 30.0), family="a")
    far = replace(ends(family(FamilyVerdict.BELOW), -9.0, -2.0), family="b")
    other_measure = replace(ends(family(), 9.0, 10.0), family="a", measure="AP")
    assert chosen("a", "b") == "a"
    assert chosen("a", "b", families=[near, far, other_measure]) == "b"
    assert chosen("a", "b", "CLIP-based", families=[near, far]) == "CLIP-based"
    assert chosen() is None
