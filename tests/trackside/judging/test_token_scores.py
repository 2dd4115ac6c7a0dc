import math
from typing import Any

import pytest

from trackside.judging.forms import FORMS, answer_form
from trackside.judging.token_scores import expected_grade, expected_score
from trackside.statistics.estimate import Reason

GRADE = FORMS["grade-0-2"]


def logprobs(*tokens: str, **shares: dict[str, float]) -> dict[str, Any]:
    """Tokens of an answer; ``at_<place>`` gives what a token could have been, by probability."""
    return {
        "content": [
            {
                "token": token,
                "top_logprobs": [
                    {"token": each, "logprob": math.log(share)}
                    for each, share in shares.get(f"at_{place}", {token: 1.0}).items()
                ],
            }
            for place, token in enumerate(tokens)
        ]
    }


YES_NO = answer_form("labels:no=0, yes=1")


@pytest.mark.parametrize(
    "said", [["Grade:", " yes", "."], ["Yes"], ['{"grade": "', "yes", '"}'], ["**", "YES", "**"]]
)
def test_expected_score_of_labels_is_the_probability_of_yes_among_yes_and_no(said: list[str]) -> None:
    place = next(index for index, token in enumerate(said) if token.strip().lower() == "yes")
    tokens = logprobs(*said, **{f"at_{place}": {said[place]: 0.6, "\nyes": 0.1, "No": 0.2, "maybe": 0.1}})

    # 0.7 of the 0.9 that are on labels.
    assert expected_score(tokens, YES_NO, 1.0) == pytest.approx(7 / 9)


def test_expected_score_of_labels_counts_tokens_that_begin_one_label_only() -> None:
    form = answer_form("labels:irrelevant=0, related=1, relevant=2")

    assert expected_score(logprobs(" rel", "evant", at_0={" rel": 0.9, "irr": 0.1}), form, 2.0) is None
    likely = {" relevant": 0.5, "related": 0.3, "irr": 0.1, "x": 0.1}
    expected = (2 * 0.5 + 0.3) / 0.9
    assert expected_score(logprobs(" relevant", at_0=likely), form, 2.0) == pytest.approx(expected)


def test_expected_score_reads_the_token_behind_the_last_marker() -> None:
    # 0.25 for 0 and 0.75 for 1: 0.75. The count of dogs, the first guess and the reason are no scores.
    said = logprobs(
        *["2", " dogs", ". Grade:", " 2", ", no: **Grade:**", " 1", ", for", " 1", " dog"],
        at_5={"0": 0.25, "1": 0.75},
    )

    assert expected_score(said, GRADE, 1.0) == pytest.approx(0.75)


@pytest.mark.parametrize(
    "said",
    [
        ["2"],
        ["Grade", ":", " 2"],
        ["Grade: ", "2", "."],
        ["**", "2", "**."],
        ['{"', "grade", '":', " ", "2", "}"],
    ],
)
def test_expected_score_finds_the_score_however_it_is_written(said: list[str]) -> None:
    assert expected_score(logprobs(*said), GRADE, 2.0) == 2


@pytest.mark.parametrize(
    ("said", "score"),
    [
        (["Grade:", " 2"], None),  # no score was read
        (["Grade:", " 2"], 1.0),  # another one was
        (["2", " dogs"], 2.0),  # no marker
        (["Grade:", " 1", "2"], 1.0),  # a digit of 12
        (["Grade:", " 1", ".5"], 1.0),
    ],
)
def test_expected_score_is_null_where_no_token_is_the_score(said: list[str], score: float | None) -> None:
    assert expected_score(logprobs(*said), GRADE, score) is None


@pytest.mark.parametrize("given", [None, {}, {"content": None}, {"content": [{}]}, {"content": [1]}])
def test_expected_score_is_null_where_the_endpoint_gives_no_probabilities(given: Any) -> None:
    assert expected_score(given, GRADE, 1.0) is None


def test_expected_score_is_null_if_the_model_likely_meant_no_score() -> None:
    said = logprobs("Grade:", " 2", at_1={" 2": 0.4, " two": 0.6})

    assert expected_score(said, GRADE, 2.0) is None


def test_expected_grade_is_renormalised_to_the_scale() -> None:
    # (0.25 + 2 * 0.15) / 0.5; a grade without a probability has none.
    expected, mass = expected_grade({0: 0.1, 1: 0.25, 2: 0.15, 7: 0.5}, (0, 1, 2))
    assert expected.value == pytest.approx(1.1)
    assert mass == pytest.approx(0.5)
    assert expected_grade({2: 0.3}, (0, 1, 2))[0].value == 2
    expected, mass = expected_grade({7: 0.9}, (0, 1, 2))
    assert (expected.reason, mass) == (Reason.EMPTY, 0)
