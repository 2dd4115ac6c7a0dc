import pytest

from tests.refusals import refused
from trackside.judging.mappings.cuts import Cuts
from trackside.judging.mappings.mapping import NothingToMap, QuantileMapping
from trackside.judging.mappings.rules import (
    BY_PEOPLE,
    ExpectedGradeRule,
    PerTopic,
    Scored,
    choose_fitting_topics,
    empty_grade_warning,
    fit,
    grades_of,
)


def scored(topic: str = "T1") -> list[Scored]:
    """Scores 1 to 12; people gave 0 to the first six, 1 to the next three and 2 to the last three."""
    return [Scored(topic, place, None, (place > 6) + (place > 9)) for place in range(1, 13)]


def test_paper_rule_is_fitted_on_all_pairs() -> None:
    # numpy's linear quantiles of 1 to 24 in two topics: 12 twice... of 1, 1, 2, 2 ... 12, 12: 6.5 and 9.25
    assert fit("paper-2024", scored("T1") + scored("T2")) == QuantileMapping((6.5, 9.25), 24)


def test_per_topic_rule_grades_each_topic_by_its_own_scores() -> None:
    high = [Scored("T2", 100 + each.raw_score) for each in scored()]

    frozen = fit("per-topic", scored() + high)

    halves = [0] * 6 + [1] * 3 + [2] * 3  # below 6.5, up to 9.25, above
    assert grades_of(frozen, scored() + high) == halves * 2
    assert grades_of(frozen, [Scored("T3", 5)]) == [None]
    assert isinstance(frozen, PerTopic)


@pytest.mark.parametrize("rule", ["kappa-cuts", "f1-cuts", "isotonic"])
def test_rule_by_people_follows_the_fitting_topics_alone(rule: str) -> None:
    turned = [Scored("T2", each.raw_score, None, 2 - (each.people or 0)) for each in scored()]

    frozen = fit(rule, scored() + turned, ["T1"])

    assert isinstance(frozen, Cuts)
    assert (frozen.cuts, frozen.n, frozen.name) == ((7.0, 10.0), 12, rule)


@pytest.mark.parametrize("rule", sorted(BY_PEOPLE))
def test_rule_by_people_needs_their_grades_on_our_scale(rule: str) -> None:
    with pytest.raises(NothingToMap):
        fit(rule, [Scored("T1", 1.0), Scored("T1", 2.0)], ["T1"])
    with refused("grades-off-scale"):
        fit(rule, [Scored("T1", 1.0, None, 0), Scored("T1", 2.0, None, 3)], ["T1"])


def test_expected_grade_is_rounded_and_stays_on_the_scale() -> None:
    pairs = [Scored("T1", 1, expected) for expected in (0.0, 0.49, 0.5, 1.5, 2.0, None)]

    assert fit("expected-grade", pairs) == ExpectedGradeRule()
    assert grades_of(ExpectedGradeRule(), pairs) == [0, 0, 1, 2, 2, None]
    with pytest.raises(NothingToMap):
        fit("expected-grade", scored())


def test_expected_grade_refuses_scores_of_another_scale() -> None:
    # A judge that answers on 1 to 100: 1.4 alone could be a grade.
    pairs = [Scored("T1", 1, expected) for expected in (1.4, 37.5, 88.0, None)]

    with refused("expected-off-scale", match=r"from 1\.4 to 88"):
        fit("expected-grade", pairs)
    assert grades_of(ExpectedGradeRule(), pairs) == [1, None, None, None]


def test_fitting_topics_are_drawn_by_the_seed_and_never_all() -> None:
    topics = [f"T{place}" for place in range(10)]

    half = choose_fitting_topics(topics, share=0.5, seed=1)

    assert len(half) == 5
    assert half == choose_fitting_topics(list(reversed(topics)), share=0.5, seed=1)
    assert half != choose_fitting_topics(topics, share=0.5, seed=2)
    assert set(half) < set(topics)
    assert len(choose_fitting_topics(topics, share=0.99, seed=1)) == 9
    assert len(choose_fitting_topics(topics, share=0.01, seed=1)) == 1


@pytest.mark.parametrize("topics", [[], ["T1"]])
def test_fitting_topics_cannot_be_drawn_from_one(topics: list[str]) -> None:
    with refused("too-few-topics"):
        choose_fitting_topics(topics, share=0.5, seed=1)


@pytest.mark.parametrize(
    ("counts", "named"), [([0, 8, 0], "grade 0 or 2."), ([5, 3, 0], "grade 2."), ([0, 1, 9], "grade 0.")]
)
def test_warning_names_the_grades_that_no_pair_gets(counts: list[int], named: str) -> None:
    quantiles = empty_grade_warning("paper-2024", counts)
    by_hand = empty_grade_warning("fixed-cuts", counts)

    assert quantiles is not None
    assert f"By paper-2024 no pair gets {named} Many scores are equal" in quantiles
    assert by_hand == f"By fixed-cuts no pair gets {named}"


def test_no_warning_where_each_grade_has_a_pair() -> None:
    assert empty_grade_warning("paper-2024", [4, 2, 2]) is None
