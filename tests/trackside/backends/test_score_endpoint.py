"""Score and rerank endpoints over a loopback server: what they are sent, and how they fail."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from tests.judges.endpoint import Act, Endpoint, Request, running
from tests.refusals import refused
from tests.trackside.backends.generators import responses
from trackside.backends.score_endpoint import ScoreEndpoint
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import Ask, EndpointDown, EndpointError, Response, Usage
from trackside.judging.settings import Settings

SETTINGS = Settings(
    backend="score_endpoint", revision=0, model="m", model_revision="1", endpoint="http://127.0.0.1:1/v1",
    prompt="Find: {topic.title}<document>{document.fields}", answer="score-0-1",
)  # fmt: skip
PAIR = Ask("ts-" + "0" * 32, ("Find: weir<document>Text: in a river",), "t1")
PNG = b"\x89PNG"
GOOD = {
    "data": [{"index": 0, "object": "score", "score": 0.25}],
    "usage": {"prompt_tokens": 9, "total_tokens": 9},
}


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScoreEndpoint, "first_wait", 0.01)
    monkeypatch.setattr("trackside.judging.endpoints.breaker.LONGEST_BACKOFF", 0.05)


def judge(endpoint: Endpoint, **changes: Any) -> ScoreEndpoint:
    return ScoreEndpoint(ScoreEndpoint.pinned(replace(SETTINGS, endpoint=endpoint.url, **changes)))


def answer_to(body: object, ask: Ask = PAIR, **changes: Any) -> tuple[Response, Request]:
    with running(lambda _: Act(body=json.dumps(body).encode())) as endpoint:
        (response,) = responses(judge(endpoint, **changes), [ask]).values()
        return response, endpoint.asked[0]


def test_score_sends_two_texts_and_reads_one_number() -> None:
    response, request = answer_to(GOOD)
    assert (response.reading, response.text) == (Reading(Outcome.OK_DECIMAL, 0.25), "0.25")
    assert response.usage == Usage(9, 0)
    assert request.target == "/v1/score"
    assert request.body == {"model": "m", "text_1": "Find: weir", "text_2": "Text: in a river"}


def test_score_sends_pictures_as_content() -> None:
    ask = Ask("ts-" + "1" * 32, ("weir<document>", PNG), "t1")
    _, request = answer_to(GOOD, ask, prompt="{topic.title}<document>{document.image}")
    assert request.body["text_1"] == "weir"
    (part,) = request.body["text_2"]["content"]
    assert part == {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}


@pytest.mark.parametrize(
    ("protocol", "body", "sent"),
    [
        (
            "rerank",
            {"results": [{"index": 0, "relevance_score": -3.5}]},
            {"model": "m", "documents": ["Text: in a river"]},
        ),
        ("tei", [{"index": 0, "score": -3.5}], {"texts": ["Text: in a river"]}),
    ],
)
def test_rerank_sends_a_query_and_one_document(protocol: str, body: object, sent: dict[str, object]) -> None:
    response, request = answer_to(body, decoding={"protocol": protocol})
    assert response.reading == Reading(Outcome.OK_DECIMAL, -3.5)
    assert (request.target, request.body) == ("/v1/rerank", {"query": "Find: weir"} | sent)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"data": []}, "0 numbers for one pair"),
        ({"data": [{"index": 0, "score": 1}] * 2}, "2 numbers for one pair"),
        ({"results": [{"index": 1, "relevance_score": 0.5}]}, "the number has the index 1, not 0"),
        ({"data": [{"index": 0, "score": math.nan}]}, "the score NaN is not a finite number"),
        ({"data": [{"index": 0, "score": math.inf}]}, "the score Infinity is not a finite number"),
        ({"data": [{"index": 0, "score": 10**400}]}, "int too large to convert to float"),
        ({"data": [{"index": 0, "score": None}]}, "the score null is not a finite number"),
        ({"data": [{"index": 0, "score": "0.5"}]}, 'the score "0.5" is not a finite number'),
        ({"data": [{"index": 0, "score": True}]}, "the score true is not a finite number"),
        ({"data": [{"index": 0}]}, "no field 'score'"),
        ({"data": [{"score": 0.5}]}, "no field 'index'"),
        ({"choices": []}, "no field 'results'"),
        ({"data": {"index": 0, "score": 1}}, "2 numbers for one pair"),
        (["x"], "string indices must be integers"),
        (None, "NoneType"),
    ],
)
def test_response_without_one_number_is_malformed(body: object, words: str) -> None:
    response, _ = answer_to(body)
    assert response.fault is EndpointError.MALFORMED
    assert words in response.detail


def test_response_to_another_request_is_not_taken() -> None:
    assert answer_to(GOOD | {"id": "score-ts-" + "f" * 32})[0].fault is EndpointError.ANOTHER_PAIR
    assert answer_to(GOOD | {"id": f"score-{PAIR.id}"})[0].reading


def test_too_many_requests_are_sent_again_and_a_long_text_is_refused() -> None:
    def plan(request: Request) -> Act:
        if request.number == 0:
            return Act(status=429, headers={"retry-after-ms": "20"})
        return Act(body=json.dumps(GOOD).encode()) if request.number == 1 else Act(status=413)

    with running(plan) as endpoint:
        backend = judge(endpoint)
        assert [response.reading for response in responses(backend, [PAIR]).values()] == [
            Reading(Outcome.OK_DECIMAL, 0.25)
        ]
        (refusal,) = responses(backend, [PAIR]).values()
    assert refusal.fault is EndpointError.REQUEST_REFUSED
    assert "HTTP 413" in refusal.detail


def test_silent_and_absent_endpoints_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScoreEndpoint, "timeout", 0.05)
    with running(lambda _: Act(delay=0.5)) as endpoint:
        (silent,) = responses(judge(endpoint), [PAIR]).values()
        endpoint.plan = lambda _: Act(status=404)
        with pytest.raises(EndpointDown, match="check key, model and address"):
            responses(judge(endpoint), [PAIR])
    assert (silent.fault, silent.detail) == (EndpointError.TIMED_OUT, "no complete answer in 0.05 s")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"prompt": "{topic.fields}{document.fields}"}, "with <document> between them"),
        ({"prompt": "{document.fields}<document>{topic.fields}"}, "with <document> between them"),
        ({"answer": "grade-0-2"}, "choose score-0-1 as the form of answer"),
        ({"decoding": {"protocol": "grpc"}}, "one of score, rerank, tei"),
        ({"decoding": {"max_tokens": 3}}, "one option: protocol"),
        (
            {"prompt": "{topic.title}<document>{document.image}", "decoding": {"protocol": "tei"}},
            "sends texts only",
        ),
        ({"model_revision": ""}, "not a fixed version"),
        ({"endpoint": ""}, "needs a base URL"),
    ],
)
def test_settings_that_cannot_be_sent_are_refused(changes: dict[str, Any], words: str) -> None:
    with refused("endpoint-settings-refused", match=words):
        ScoreEndpoint.pinned(replace(SETTINGS, **changes))
