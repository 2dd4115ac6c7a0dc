import json
from typing import Any

import pytest

from trackside.judging.answers import Outcome
from trackside.judging.asking import Ask, EndpointError
from trackside.judging.endpoints.batches import RemoteState, batch_line, line_size, read_answers, split
from trackside.judging.endpoints.chat import request_body
from trackside.judging.forms import FORMS
from trackside.judging.settings import Settings

SETTINGS = Settings(backend="openai_batch", revision=1, model="judge-2026-01-31", model_revision="1")
FORM = FORMS["relevance-1-100"]
JPEG = b"\xff\xd8\xff a picture"


def line(name: str, text: str = "Relevance: 7", **changes: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 70, "completion_tokens": 5}
    body = {
        "id": "chatcmpl-1",
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": usage,
    }
    return {"custom_id": name, "response": {"status_code": 200, "body": body}, "error": None} | changes


def read(*lines: Any, ids: str = "a", state: RemoteState = RemoteState.COMPLETED) -> dict[str, Any]:
    """Outcome or fault of each id."""
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    responses = read_answers([text.encode()], ids, FORM, state)
    return {
        response.id: response.reading.score if response.reading else response.fault for response in responses
    }


def test_line_is_the_request_of_the_chat_protocol_under_its_id() -> None:
    # The fields that OpenAI's Batch API and `vllm run-batch` read.
    ask = Ask("ts-" + "a" * 32, ("Ä text", JPEG))

    written = batch_line(ask, SETTINGS)

    assert written.endswith(b"}\n")
    assert written.count(b"\n") == 1
    assert json.loads(written) == {
        "custom_id": ask.id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": request_body(ask.parts, SETTINGS),
    }


@pytest.mark.parametrize("size", [0, 1, 2, 3, 1000])
def test_line_size_is_that_of_the_line_whatever_the_image(size: int) -> None:
    image = (JPEG + b"x" * 1000)[:size]
    written = batch_line(Ask("ts-" + "b" * 32, ("Ä \n text", image)), SETTINGS)

    assert line_size(("Ä \n text", None), [size], SETTINGS) == len(written)


def test_split_fills_a_file_up_to_the_number_or_the_bytes_that_it_may_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("trackside.judging.endpoints.batches.MOST_REQUESTS", 3)
    monkeypatch.setattr("trackside.judging.endpoints.batches.MOST_BYTES", 100)

    def parts(*sizes: int) -> list[list[int]]:
        return [list(places) for places in split(sizes)]

    assert parts() == []
    assert parts(1, 1, 1, 1) == [[0, 1, 2], [3]]
    assert parts(60, 40, 1) == [[0, 1], [2]]
    assert parts(60, 41, 59, 1) == [[0], [1, 2], [3]]
    assert parts(200, 1) == [[0], [1]]  # a line too long for any file is the endpoint's to refuse


def test_answers_are_identified_by_their_id_in_whatever_order_they_come() -> None:
    lines = [line("b", "Relevance: 2"), line("c", "no idea"), line("a", "Relevance: 1")]

    assert read(*lines, ids="abc") == {"a": 1, "b": 2, "c": None}


def test_answer_keeps_words_usage_and_outcome() -> None:
    (response,) = read_answers([json.dumps(line("a")).encode()], ["a"], FORM, RemoteState.COMPLETED)

    assert response.reading is not None
    assert (response.reading.outcome, response.text, response.finish_reason) == (
        Outcome.OK,
        "Relevance: 7",
        "stop",
    )
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens) == (70, 5)


def test_second_answer_to_one_request_must_be_the_same() -> None:
    assert read(line("a"), line("a")) == {"a": 7}
    assert read(line("a"), line("a", "Relevance: 8")) == {"a": EndpointError.MALFORMED}
    assert read(line("a", response=None), line("a")) == {"a": 7}
    assert read(line("a"), line("a", response=None)) == {"a": 7}


def test_foreign_and_malformed_lines_are_ignored() -> None:
    assert read("{broken", "[1]", '"a"', line("z"), line("a")) == {"a": 7}


def test_request_without_a_line_is_not_run_or_unknown() -> None:
    assert read(ids="a") == {"a": EndpointError.NO_ANSWER}
    assert read(ids="a", state=RemoteState.EXPIRED) == {"a": EndpointError.NOT_RUN}
    assert read(ids="a", state=RemoteState.CANCELLED) == {"a": EndpointError.NOT_RUN}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"response": None, "error": {"code": "batch_expired"}}, EndpointError.NOT_RUN),
        ({"response": None, "error": {"code": "batch_cancelled"}}, EndpointError.NOT_RUN),
        ({"response": None, "error": {"code": "other"}}, EndpointError.SERVER_ERROR),
        ({"response": None, "error": None}, EndpointError.SERVER_ERROR),
        (
            {"response": {"status_code": 400, "body": {"error": {"message": "no"}}}},
            EndpointError.REQUEST_REFUSED,
        ),
        ({"response": {"status_code": 500, "body": None}}, EndpointError.SERVER_ERROR),
        ({"response": {"status_code": 200, "body": "text"}}, EndpointError.MALFORMED),
        ({"response": {"status_code": 200, "body": None}}, EndpointError.MALFORMED),
    ],
)
def test_error_of_one_request_is_its_fault(changes: dict[str, Any], fault: EndpointError) -> None:
    assert read(line("a", **changes)) == {"a": fault}


@pytest.mark.parametrize("odd", [[], {}, None, "200"])
def test_status_or_code_of_another_type_is_a_fault_of_that_request_alone(odd: Any) -> None:
    response = {"status_code": odd, "body": {"error": "\ud83d\0"}}
    lines = (line("a", response=response), line("b", response=None, error={"code": odd}), line("c"))

    assert read(*lines, ids="abc") == {
        "a": EndpointError.SERVER_ERROR,
        "b": EndpointError.SERVER_ERROR,
        "c": 7,
    }
