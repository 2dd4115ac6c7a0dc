from __future__ import annotations

import json
from typing import Any

import pytest

from judges.core.answers import FORMS
from judges.core.asking import EndpointDown, EndpointError, Response, Usage
from judges.core.endpoints.chat import completion_response, read_completion

FORM = FORMS["relevance-1-100"]
JSON = {"content-type": "application/json"}


def completion(**changes: Any) -> dict[str, Any]:
    choice = {"message": {"content": "Relevance: 7"}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": 70, "completion_tokens": 5}} | changes


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        "70",
        {"total_tokens": 75},
        {"prompt_tokens": None, "completion_tokens": 5},
        {"prompt_tokens": -1, "completion_tokens": 5},
        {"prompt_tokens": 70, "completion_tokens": 2**31},
        {"prompt_tokens": float("inf"), "completion_tokens": 5},
    ],
)
def test_impossible_usage_is_unknown_and_the_answer_counts(usage: Any) -> None:
    response = completion_response("a", completion(usage=usage), FORM)

    assert response.reading is not None
    assert (response.reading.score, response.usage) == (7, None)


def test_usage_is_kept_up_to_what_the_database_holds() -> None:
    most = {"prompt_tokens": 2**31 - 1, "completion_tokens": 0}

    assert completion_response("a", completion(usage=most), FORM).usage == Usage(2**31 - 1, 0)


def test_number_beyond_all_bounds_in_an_answer_breaks_nothing() -> None:
    content = json.dumps(completion()).replace("70", "1e999").encode()
    assert read_completion("a", content, JSON, FORM).reading is not None

    token = {"token": "7", "logprob": -(10**400)}
    choice = completion()["choices"][0] | {"logprobs": {"content": [{"token": "7", "top_logprobs": [token]}]}}
    assert completion_response("a", completion(choices=[choice]), FORM).expected_score is None


def test_half_a_surrogate_pair_is_replaced_and_nul_is_left_out() -> None:
    content = rb"""{"choices": [{"finish_reason": "st\u0000op\ud83d",
        "message": {"content": "Relevance: 7 \ud83d\u0000 \ud83d\ude00"}}]}"""

    response = read_completion("a", content, JSON, FORM)

    assert response.text == "Relevance: 7 \ufffd \U0001f600"
    assert response.finish_reason == "stop\ufffd"


def test_text_of_an_endpoint_error_can_be_stored_from_any_source() -> None:
    assert Response("a", fault=EndpointError.SERVER_ERROR, detail="a\0b\udc00").detail == "ab\ufffd"
    assert str(EndpointDown("a\0b\udc00")) == "ab\ufffd"
