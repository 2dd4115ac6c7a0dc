import json
from typing import Any

import pytest

from tests.oracles.shared import shared_folder
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointDown, EndpointError, Response, Usage
from trackside.judging.endpoints.chat import completion_response, read_completion
from trackside.judging.forms import FORMS

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


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "maybe Relevance: 20"}]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([THOUGHT, {"type": "text", "text": "Relevance: 85"}], Reading(Outcome.OK, 85)),
        ([{"type": "text", "text": "Relev"}, {"type": "text", "text": "ance: 85"}], Reading(Outcome.OK, 85)),
        ([{"text": "85"}, {"type": "reference", "reference_ids": [1]}], Reading(Outcome.OK_BARE, 85)),
        ([{"type": "text", "text": "Relevance: 20"}, THOUGHT], Reading(Outcome.EMPTY)),
        ([THOUGHT], Reading(Outcome.EMPTY)),
        ([], Reading(Outcome.EMPTY)),
        ([{"type": "refusal", "refusal": "I cannot"}], Reading(Outcome.REFUSAL)),
    ],
)
def test_content_in_chunks_is_read_without_thoughts(content: list[dict[str, Any]], expected: Reading) -> None:
    choice = {"message": {"content": content}, "finish_reason": "stop"}

    assert completion_response("a", completion(choices=[choice]), FORM).reading == expected


@pytest.mark.parametrize(
    "content", [[1], ["Relevance: 85"], [{"type": "text", "text": 85}], {"text": "85"}, 85]
)
def test_content_that_is_no_text_and_no_chunks_is_malformed(content: Any) -> None:
    choice = {"message": {"content": content}, "finish_reason": "stop"}

    assert completion_response("a", completion(choices=[choice]), FORM).fault is EndpointError.MALFORMED


def test_choice_with_an_error_of_its_own_is_a_fault_that_keeps_its_usage() -> None:
    choice = completion()["choices"][0] | {"error": {"code": 502, "message": "upstream"}}

    response = completion_response("a", completion(choices=[choice]), FORM)

    assert (response.fault, response.reading) == (EndpointError.SERVER_ERROR, None)
    assert "upstream" in response.detail
    assert response.usage is not None


def test_first_sample_is_read_wherever_it_is_listed() -> None:
    first = completion()["choices"][0] | {"index": 0}
    second = first | {"index": 1, "message": {"content": "Relevance: 10"}}

    response = completion_response("a", completion(choices=[second, first]), FORM)

    assert response.reading == Reading(Outcome.OK, 7)
    assert completion_response("a", completion(choices=[second]), FORM).fault is EndpointError.MALFORMED


def test_content_of_the_shared_case_is_read() -> None:
    folder = shared_folder("cases", "imports3", "endpoint_dialects")
    case = json.loads((folder / "completion_chunks.json").read_text())

    assert completion_response("a", case, FORM).reading == Reading(Outcome.OK, 85)


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
