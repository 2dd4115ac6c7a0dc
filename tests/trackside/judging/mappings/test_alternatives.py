import pytest

from trackside.judging.mappings.alternatives import compare_rules, histogram
from trackside.judging.mappings.mapping import NothingToMap
from trackside.judging.mappings.rules import Scored
from trackside.statistics.agreement import cohen_kappa

# Two topics of eight scores, 2 to 9 and 3 to 10; people's 1 begins at 5, their 2 at 9.
TOPICS = {"T1": range(2, 10), "T2": range(3, 11)}
SCORED = [
    Scored(topic, score, None, (score >= 5) + (score >= 9)) for topic in TOPICS for score in TOPICS[topic]
]


def test_compare_rules_counts_grades_ties_and_changes() -> None:
    paper, fixed, as_given, expected = compare_rules(SCORED, fixed=(5, 9))

    # 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10: median 6, upper quartile 8; a score of 8 gets grade 1.
    assert (paper.rule, paper.cuts, paper.tied_counts) == ("paper-2024", (6.0, 8.0), (2, 2))
    assert (paper.grade_counts, paper.changed_count) == ((7, 6, 3), 0)
    # By hand: 1 from 5, 2 from 9. Only the two scores of 5 change, from 0 to 1.
    assert (fixed.rule, fixed.grade_counts, fixed.tied_counts) == ("fixed-cuts", (5, 8, 3), (2, 2))
    assert fixed.changed_count == 2
    assert fixed.kappa.value == 1
    assert as_given.problem.startswith("15 of 16 scores are not grades of the scale 0, 1, 2")
    assert expected.problem.startswith("The judge gave no probabilities")


def test_compare_rules_reports_kappa_on_topics_that_nothing_was_fitted_on() -> None:
    by_rule = {each.rule: each for each in compare_rules(SCORED, fitting_topics=["T1"])}

    assert set(by_rule) >= {"kappa-cuts", "f1-cuts"}
    # Fitted on T1, where people's steps are at 5 and 9: right on T2 as well, and 8 pairs are reported.
    assert by_rule["f1-cuts"].cuts == (5.0, 9.0)
    assert (by_rule["f1-cuts"].kappa.value, by_rule["f1-cuts"].reported_count) == (1, 8)
    people = [(score >= 5) + (score >= 9) for score in TOPICS["T2"]]
    paper = [(score >= 6) + (score > 8) for score in TOPICS["T2"]]
    assert by_rule["paper-2024"].kappa == cohen_kappa(people, paper, (0, 1, 2), "quadratic")


def test_compare_rules_without_people_fits_nothing_on_them() -> None:
    plain = [Scored(each.topic, each.raw_score) for each in SCORED]

    found = compare_rules(plain)

    assert [each.rule for each in found] == ["paper-2024", "as-given", "expected-grade"]
    assert found[0].kappa.value is None
    with pytest.raises(NothingToMap):
        compare_rules([])


def test_histogram_counts_each_score_of_few_and_steps_of_many() -> None:
    assert histogram([3, 1, 3, 2.5]) == [("1", 1), ("2.5", 1), ("3", 2)]

    steps = histogram(range(401))  # 40 steps of 10: ten scores each, the last one eleven

    assert len(steps) == 40
    assert steps[0][0] == "0 to 10"
    assert sum(count for _, count in steps) == 401
    assert steps[-1] == ("390 to 400", 11)
