import random
from fractions import Fraction
from itertools import pairwise

import pytest

from tests.refusals import refused
from trackside.judging.answers import read_answer
from trackside.judging.endpoints.chat import request_options
from trackside.judging.forms import answer_form
from trackside.judging.mappings.alternatives import compare_rules
from trackside.judging.mappings.mapping import Cuts, NothingToMap, QuantileMapping
from trackside.judging.mappings.rules import (
    AS_GIVEN,
    BY_PEOPLE,
    EXPECTED,
    ExpectedGradeRule,
    PerTopic,
    Scored,
    choose_fitting_topics,
    default_rule,
    empty_grade_warning,
    fit,
    grades_of,
    rules_of,
)
from trackside.judging.settings import Settings


def scored(topic: str = "T1") -> list[Scored]:
    """Scores 1 to 12; people gave 0 to the first six, 1 to the next three and 2 to the last three."""
    return [Scored(topic, place, None, (place > 6) + (place > 9)) for place in range(1, 13)]


def test_stored_thresholds_by_topic_grade_each_topic_by_its_own() -> None:
    high = [Scored("T2", 100 + each.raw_score) for each in scored()]
    by_topic = {"T1": QuantileMapping((6.5, 9.25), 12), "T2": QuantileMapping((106.5, 109.25), 12)}
    halves = [0] * 6 + [1] * 3 + [2] * 3
    assert grades_of(PerTopic(by_topic), scored() + high) == halves * 2
    assert grades_of(PerTopic(by_topic), [Scored("T3", 5)]) == [None]


@pytest.mark.parametrize("rule", sorted(BY_PEOPLE))
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


def test_warning_follows_the_scale_and_is_none_where_each_grade_has_a_pair() -> None:
    assert "grade 1 or 4. Many" in str(empty_grade_warning("quantiles", [5, 0, 1, 0], (0, 1, 2, 4)))
    assert empty_grade_warning("paper-2024", [4, 2, 2]) is None


SCALES = [(0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4), (1, 2, 4, 8)]
on_every_scale = pytest.mark.parametrize("scale", SCALES, ids=str)


def pairs_of(scale: tuple[int, ...], *, seed: int = 5) -> list[Scored]:
    """Eight topics of 40 pairs, with a score that rises with people's grade, and noise."""
    draw = random.Random(seed)
    pairs = []
    for topic in range(8):
        for _ in range(40):
            people = draw.choice(scale)
            mean = min(max(people + draw.gauss(0, 0.6), scale[0]), scale[-1])
            pairs.append(Scored(f"T{topic}", people + draw.gauss(0, 0.7), mean, people))
    return pairs


def plain_quantile(scores: list[float], share: Fraction) -> float:
    """Linear interpolation between the two nearest of the sorted scores."""
    ranked = sorted(scores)
    position = share * (len(ranked) - 1)
    below = int(position)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + float(position - below) * (ranked[above] - ranked[below])


def plain_grades(scores: list[float], scale: tuple[int, ...]) -> list[int]:
    """Half the lowest grade, half of the rest the next; on the first cut up, on a later cut down."""
    cuts = [plain_quantile(scores, 1 - Fraction(1, 2**step)) for step in range(1, len(scale))]
    grades = []
    for score in scores:
        step = 0
        while step < len(cuts) and (score >= cuts[0] if step == 0 else score > cuts[step]):
            step += 1
        grades.append(scale[step])
    return grades


@on_every_scale
def test_quantiles_equal_a_plain_implementation(scale: tuple[int, ...]) -> None:
    pairs = [*pairs_of(scale), *[Scored("T0", 1.0)] * 30]  # many equal scores
    scores = [each.raw_score for each in pairs]
    rule = rules_of(scale)[0]
    assert grades_of(fit(rule, pairs, scale=scale), pairs) == plain_grades(scores, scale)


@on_every_scale
def test_expected_grades_are_the_nearest_grades(scale: tuple[int, ...]) -> None:
    pairs = pairs_of(scale)
    found = grades_of(fit(EXPECTED, pairs, scale=scale), pairs)
    # The nearest grade; half-way between two it is the higher one.
    nearest = [
        min(scale, key=lambda grade: (abs(grade - (each.expected_score or 0)), -grade)) for each in pairs
    ]
    assert found == nearest


@on_every_scale
def test_every_rule_gives_grades_of_the_scale_and_reaches_the_highest(scale: tuple[int, ...]) -> None:
    pairs = pairs_of(scale)
    fitting = ("T0", "T1", "T2", "T3")
    fixed = [(low + high) / 2 for low, high in pairwise(scale)]
    alternatives = compare_rules(pairs, scale=scale, fitting_topics=fitting, fixed=fixed)
    assert {each.rule for each in alternatives} == set(rules_of(scale))
    for each in alternatives:
        if each.rule == AS_GIVEN:
            assert "are not grades of the scale" in each.problem
            continue
        assert (each.problem, each.ungraded_count, sum(each.grade_counts)) == ("", 0, len(pairs))
        assert each.grade_counts[-1] > 0
        assert len(each.cuts) == (0 if each.rule == EXPECTED else len(scale) - 1)
        assert (each.kappa.value or 0) > 0.2


@on_every_scale
def test_grades_of_people_as_scores_stay_as_given(scale: tuple[int, ...]) -> None:
    pairs = [
        Scored(each.topic, float(each.people or 0)) for each in pairs_of(scale) if each.people is not None
    ]
    assert default_rule(pairs, scale, gives_grades=True) == AS_GIVEN
    assert grades_of(fit(AS_GIVEN, pairs, scale=scale), pairs) == [int(each.raw_score) for each in pairs]
    assert default_rule(pairs, scale, gives_grades=False) == rules_of(scale)[0]
    means = [Scored("T1", 0.5, 0.5), *(Scored("T1", 1.0, 1.0) for _ in range(3))]
    assert default_rule(means, scale, gives_grades=True) == EXPECTED
    with refused("score-off-scale", match="such as 0.5"):
        fit(AS_GIVEN, means, scale=scale)


def test_a_rule_is_refused_on_another_scale() -> None:
    pairs = pairs_of((0, 1, 2, 3))
    with refused("rule-of-another-scale", match="Choose quantiles"):
        fit("paper-2024", pairs, scale=(0, 1, 2, 3))


LABELS = "labels:not relevant=0, related=1, highly relevant=2, perfect=3"


@pytest.mark.parametrize(
    ("text", "outcome", "score"),
    [
        ("Grade: Not relevant", "ok", 0),
        ("Grade: highly relevant.", "ok", 2),
        ("The passage is on topic.\nGrade: **Perfect**", "ok", 3),
        ("related", "ok_bare", 1),
        ('"Related"', "ok_bare", 1),
        ("related - it names the river", "ok_bare", 1),
        ("Grade: relevant", "unparsed", None),
        ("Grade: related or perfect", "unparsed", None),
        ("Grade: related. Grade: not relevant.", "ambiguous", None),
        ("Grade: related or Grade: perfect", "ambiguous", None),
        ("Grade: related, I repeat, Grade: related", "ok", 1),
        ("Grade: related\nGrade: perfect", "ambiguous", None),
        ("It is not perfect", "unparsed", None),
        ("I'm sorry, I cannot help with that.", "refusal", None),
        ("", "empty", None),
        ('{"grade": "Related"}', "ok", 1),
        ('{"grade": "Related"} {"grade": "Perfect"}', "ambiguous", None),
    ],
)
def test_labels_are_read_whole(text: str, outcome: str, score: float | None) -> None:
    reading = read_answer(text, "stop", answer_form(LABELS))
    assert (reading.outcome, reading.score) == (outcome, score)


@pytest.mark.parametrize(
    ("labels", "text", "score"),
    [
        ("असंबंधित=0, संबंधित=1", "Grade: असंबंधित।", 0),
        ("ไม่เกี่ยวข้อง=0, เกี่ยวข้อง=1", "Grade: เกี่ยวข้อง", 1),
        ("不相关=0, 部分相关=1, 相关=2", "Grade：相关。因为图片相同", 2),
        ("غير ذي صلة=0, ذو صلة=1", "ذو صلة، لأنها", 1),
        ("بی\u200cربط=0, مرتبط=1", "Grade: بی\u200cربط", 0),
        ("nö=0, gänzlich=2", "Grade: ga\u0308nzlich", 2),
        ("no\u0308=0, ga\u0308nzlich=2", "Grade: Gänzlich!", 2),
        ("нет=0, да=1", "Grade: Да.\nПотому что", 1),
    ],
)
def test_labels_of_any_script_are_read(labels: str, text: str, score: float) -> None:
    """Vowel signs, tones and joiners are no letters; stops differ; "ä" has two spellings."""
    reading = read_answer(text, "stop", answer_form(f"labels:{labels}"))
    assert (reading.outcome.startswith("ok"), reading.score) == (True, score)


def test_schema_of_labels_lists_them() -> None:
    settings = Settings(
        backend="openai_chat",
        revision=1,
        model="m",
        model_revision="1",
        answer="labels-json:no=0, yes=1",
        decoding={"json_schema": True},
    )
    schema = request_options(settings)["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {"grade": {"type": "string", "enum": ["no", "yes"]}}


@pytest.mark.parametrize(
    "name",
    [
        "grade",
        "grade-2-0",
        "grade-0-101",
        "grade-0-2-xml",
        "labels:yes=1",
        "labels:a=0, a=1",
        "labels:a=0, b=0",
    ],
)
def test_unknown_form_of_answer_is_refused(name: str) -> None:
    with refused("answer-form-unknown", match="grade-0-3"):
        answer_form(name)
