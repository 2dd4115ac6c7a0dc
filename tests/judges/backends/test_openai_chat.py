from __future__ import annotations

import asyncio
import base64
import gzip
import math
import socket
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from judges.backends.openai_chat import OpenAIChat, _Session
from judges.core.answers import Outcome, Reading
from judges.core.asking import Ask, EndpointDown, EndpointError, Response, Usage
from judges.core.endpoints.clients import EndpointSettingsRefused
from judges.core.endpoints.keys import key_variable
from judges.core.prompts import BUILT_IN, PromptRefused
from judges.core.settings import Settings
from tests.judges.endpoint import (
    COMPLETION_TOKENS,
    PROMPT_TOKENS,
    Act,
    Endpoint,
    Request,
    plain,
    running,
    score_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PROMPTS = {prompt.name: prompt for prompt in BUILT_IN}
TEXT_FIRST = PROMPTS["after-2024-text-first"]
JPEG = b"\xff\xd8\xff a picture"
SETTINGS = Settings(
    backend="openai_chat",
    revision=0,
    model="judge-2026-01-31",
    model_revision="",
    prompt=TEXT_FIRST.template,
    answer=TEXT_FIRST.answer,
    endpoint="http://127.0.0.1:1/v1",
)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenAIChat, "first_wait", 0.01)
    monkeypatch.setattr("judges.core.endpoints.gate.LONGEST_BACKOFF", 0.05)


def judge(endpoint: Endpoint, **changes: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIChat.pinned(replace(SETTINGS, endpoint=endpoint.url, **changes)))


def asks(count: int) -> list[Ask]:
    return [Ask(f"ts-{place:032x}", (f"text {place}", JPEG)) for place in range(count)]


def taking(some: Sequence[Ask]) -> Callable[[int], Sequence[Ask]]:
    left = deque(some)
    return lambda room: [left.popleft() for _ in range(min(room, len(left)))]


def responses(backend: OpenAIChat, some: Sequence[Ask]) -> dict[str, Response]:
    found = [response for batch in backend.responses(taking(some)) for response in batch]
    assert len(found) == len({response.id for response in found})
    return {response.id: response for response in found}


def only(backend: OpenAIChat) -> Response:
    (response,) = responses(backend, asks(1)).values()
    return response


def first(count: int, act: Act) -> Callable[[Request], Act]:
    """This act for the first requests, then plain answers."""
    return lambda request: act if request.number < count else plain(request)


class GateClock:
    """The functions of asyncio that the gate uses, with a clock that moves only while the gate sleeps."""

    Event = asyncio.Event

    def __init__(self) -> None:
        self.now = 0.0

    def get_running_loop(self) -> GateClock:
        return self

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_every_ask_gets_the_answer_to_its_own_words_and_image() -> None:
    with running() as endpoint:
        found = responses(judge(endpoint), asks(100))

        shown = {request.id: request.shown for request in endpoint.log}
        assert len(found) == len(endpoint.log) == 100
        for ask_id, response in found.items():
            assert response.reading is not None
            assert (response.reading.outcome, response.reading.score) == (Outcome.OK, score_of(shown[ask_id]))
            assert response.usage == Usage(PROMPT_TOKENS, COMPLETION_TOKENS)
            assert response.finish_reason == "stop"
            assert response.latency_ms is not None


def test_request_carries_the_image_itself_and_its_parts_in_order() -> None:
    with running() as endpoint:
        only(judge(endpoint))

        body = endpoint.log[0].body
        text, image = body["messages"][0]["content"]
        assert text == {"type": "text", "text": "text 0"}
        assert image["image_url"]["url"] == f"data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"
        assert (body["model"], body["temperature"], body["max_tokens"]) == ("judge-2026-01-31", 0, 64)


def test_key_is_sent_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as endpoint:
        monkeypatch.setenv(key_variable(endpoint.url), "secret")
        only(judge(endpoint))

        assert endpoint.log[0].headers["authorization"] == "Bearer secret"


def test_redirect_ends_the_job_and_carries_no_key_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as thief:
        moved = Act(status=308, headers={"location": f"{thief.url}/chat/completions"})
        with running(lambda _: moved) as endpoint:
            monkeypatch.setenv(key_variable(endpoint.url), "secret")
            with pytest.raises(EndpointDown, match=r"check key, model and address\. HTTP 308"):
                only(judge(endpoint))

        assert thief.log == []


def test_query_of_the_base_url_is_sent_with_each_request() -> None:
    with running() as endpoint:
        backend = judge(endpoint)
        backend.settings = replace(backend.settings, endpoint=f"{endpoint.url}?api-version=2026-01-01")
        only(backend)

        assert endpoint.log[0].target == "/v1/chat/completions?api-version=2026-01-01"


def test_each_topic_is_sent_to_one_replica() -> None:
    topics = [f"T{place % 20}" for place in range(100)]
    some = [replace(ask, topic=topic) for ask, topic in zip(asks(100), topics, strict=True)]
    with running() as first, running() as second:
        backend = judge(first)
        backend.settings = replace(backend.settings, endpoint=f"{first.url} {second.url}")
        found = responses(backend, some)

        assert len(found) == 100
        assert {response.fault for response in found.values()} == {None}
        topic_of = {ask.id: ask.topic for ask in some}
        met = [{topic_of[request.id] for request in endpoint.log} for endpoint in (first, second)]
        assert met[0] | met[1] == set(topics)
        assert not met[0] & met[1]
        assert min(len(each) for each in met) >= 4


def test_replica_that_is_down_is_named() -> None:
    with running() as first, running(lambda _: Act(status=503)) as second:
        backend = judge(first)
        backend.settings = replace(backend.settings, endpoint=f"{first.url} {second.url}")
        some = [replace(ask, topic=f"T{place}") for place, ask in enumerate(asks(500))]
        with pytest.raises(EndpointDown, match=f"^{second.url}: The endpoint failed 7 times"):
            responses(backend, some)

        assert len(first.answered) > 0


def test_no_more_requests_than_allowed_are_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenAIChat, "in_flight", 5)
    # No request is answered before five are in flight, however slowly the machine sends them.
    with running(lambda _: Act(delay=0.02, is_time=lambda: endpoint.peak >= 5)) as endpoint:
        responses(judge(endpoint), asks(30))

        assert endpoint.peak == 5


@pytest.mark.parametrize(
    "headers",
    [
        {"retry-after": "0.3"},
        {"retry-after-ms": "300"},
        {"retry-after": "Sat, 01 Aug 2026 12:00:00 GMT"},  # the endpoint's own date: no wait
    ],
)
def test_too_many_requests_are_sent_again_after_the_time_asked_for(
    headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = GateClock()
    monkeypatch.setattr("judges.core.endpoints.gate.asyncio", clock)
    with running(first(1, Act(status=429, headers=headers))) as endpoint:
        response = only(judge(endpoint))

        assert response.reading is not None
        assert len(endpoint.log) == 2
    is_date = "GMT" in headers.get("retry-after", "")
    assert clock.now == pytest.approx(0.0 if is_date else 0.3)


def test_too_many_requests_without_a_time_are_sent_again_until_they_pass() -> None:
    with running(first(4, Act(status=429))) as endpoint:
        found = responses(judge(endpoint), asks(3))

        assert {response.fault for response in found.values()} == {None}
        assert len(endpoint.log) == 3 + 4


def test_endpoint_without_money_is_reported_in_its_own_words() -> None:
    body = b'{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}'
    is_down = pytest.raises(EndpointDown, match=r"HTTP 429.*exceeded your current quota")
    with running(lambda _: Act(status=429, body=body)) as endpoint, is_down:
        only(judge(endpoint))


@pytest.mark.parametrize(("status", "request_count"), [(500, 1), (502, 1), (503, 2)])
def test_server_error_with_a_retry_time_counts_as_a_try_unless_it_is_unavailable(
    status: int, request_count: int
) -> None:
    with running(first(1, Act(status=status, headers={"retry-after-ms": "10"}))) as endpoint:
        response = only(judge(endpoint))

        assert response.fault == (None if status == 503 else EndpointError.SERVER_ERROR)
        assert len(endpoint.log) == request_count


def test_answer_that_comes_as_the_endpoint_goes_down_counts() -> None:
    # Both tasks end in one iteration of the event loop, and only the first is reported.
    async def ended() -> tuple[EndpointError | None, float | None]:
        session = _Session(OpenAIChat(replace(SETTINGS, endpoint="http://127.0.0.1:1/v1")))

        async def answer() -> Response:
            return Response("ts-1", Reading(Outcome.OK, 7))

        task = asyncio.get_running_loop().create_task(answer())
        session._in_flight[task] = "ts-1"
        await task
        session.down = "down"
        session._arrived.set()
        (response,) = await session.some_responses()
        await session.close()
        return response.fault, response.reading.score if response.reading else None

    assert asyncio.run(ended()) == (None, 7)


def test_long_wait_pauses_the_job() -> None:
    plan = first(1, Act(status=429, headers={"retry-after": "86400"}))
    with running(plan) as endpoint, pytest.raises(EndpointDown, match="86400 s"):
        only(judge(endpoint))


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        (Act(status=500), EndpointError.SERVER_ERROR),
        (Act(is_reset=True), EndpointError.CONNECTION_LOST),
        (Act(delay=60), EndpointError.TIMED_OUT),
        (Act(is_drip=True), EndpointError.TIMED_OUT),
        (Act(body=b"{not json"), EndpointError.MALFORMED),
        (Act(body=b"{}"), EndpointError.MALFORMED),
        (Act(body=b"[]"), EndpointError.MALFORMED),
        (Act(body=b'{"choices": []}'), EndpointError.MALFORMED),
        (Act(body=b'{"choices": [{"message": {"content": [1]}}]}'), EndpointError.MALFORMED),
        (Act(content_type="text/html", body=b"<h1>Please sign in</h1>"), EndpointError.MALFORMED),
        (Act(status=400), EndpointError.REQUEST_REFUSED),
        (
            Act(status=400, content_type="text/plain; charset=utf-16", body=b"x"),
            EndpointError.REQUEST_REFUSED,
        ),
        (Act(echo="ts-" + "f" * 32), EndpointError.ANOTHER_PAIR),
    ],
)
def test_fault_is_named_and_costs_one_request_and_no_other_pair(
    act: Act, fault: EndpointError, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == EndpointError.TIMED_OUT:
        monkeypatch.setattr(OpenAIChat, "timeout", 5.0)  # ample for the plain answers on a busy machine
    with running(lambda request: act if "text 3" in request.shown else plain(request)) as endpoint:
        found = responses(judge(endpoint), asks(8))

        assert {ask_id: response.fault for ask_id, response in found.items() if response.fault} == {
            asks(4)[3].id: fault
        }
        assert found[asks(4)[3].id].reading is None
        assert len(endpoint.log) == 8


@pytest.mark.parametrize(
    "act",
    [
        Act(is_endless=True),
        Act(body=gzip.compress(b" " * 100_000_000), headers={"content-encoding": "gzip"}),
        Act(status=500, is_endless=True),
    ],
    ids=["endless", "packed", "endless error"],
)
def test_response_that_is_too_large_is_not_read_to_its_end(act: Act) -> None:
    with running(lambda request: act if "text 3" in request.shown else plain(request)) as endpoint:
        found = responses(judge(endpoint), asks(8))

    faulty = {ask_id: response for ask_id, response in found.items() if response.fault}
    assert list(faulty) == [asks(4)[3].id]
    assert faulty[asks(4)[3].id].detail == "the response has more than 16,000,000 bytes"


def test_answers_without_a_score_keep_their_words() -> None:
    with running(lambda _: Act(text="", refusal="I can't\0 help with that.")) as endpoint:
        response = only(judge(endpoint))

    assert response.reading is not None
    assert (response.reading.outcome, response.reading.score) == (Outcome.REFUSAL, None)
    assert response.text == "I can't help with that."


def test_cut_answer_is_no_score() -> None:
    with running(lambda _: Act(text="8", finish_reason="length")) as endpoint:
        response = only(judge(endpoint))

    assert response.reading is not None
    assert (response.reading.outcome, response.text) == (Outcome.TRUNCATED, "8")


def test_burst_of_errors_costs_each_pair_one_try_at_most() -> None:
    # 20 requests are in flight when the endpoint fails; then one request at a time is sent until it answers.
    with running(first(23, Act(status=500))) as endpoint:
        found = responses(judge(endpoint), asks(60))

        faults = [response for response in found.values() if response.fault]
        assert len(faults) == 23
        assert len(endpoint.log) == 60


def test_endpoint_that_is_down_stops_the_asking() -> None:
    with running(lambda _: Act(status=503)) as endpoint:
        some, got = asks(500), list[Response]()
        taken = taking(some)
        batches = judge(endpoint).responses(taken)
        with pytest.raises(EndpointDown, match="7 times in a row"):
            got.extend(response for batch in batches for response in batch)

        # The first 64, and one probe a round after it.
        assert len(endpoint.log) <= 64 + 6
        assert {response.fault for response in got} <= {EndpointError.SERVER_ERROR, EndpointError.NOT_ASKED}
        assert len(got) == len(some) - len(taken(1000))


@pytest.mark.parametrize("status", [401, 403, 404])
def test_refused_key_or_unknown_model_stops_the_asking_at_once(status: int) -> None:
    with (
        running(lambda _: Act(status=status)) as endpoint,
        pytest.raises(EndpointDown, match=f"HTTP {status}"),
    ):
        responses(judge(endpoint), asks(10))


def test_silent_port_is_an_endpoint_that_is_down() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        backend = OpenAIChat(OpenAIChat.pinned(replace(SETTINGS, endpoint=address)))
        with pytest.raises(EndpointDown):
            responses(backend, asks(100))


def test_responses_closed_early_leave_no_open_request() -> None:
    with running(lambda request: Act(delay=5 if request.number else 0)) as endpoint:
        some: Iterator[Sequence[Response]] = judge(endpoint).responses(taking(asks(3)))
        assert len(next(some)) == 1
        some.close()  # type: ignore[attr-defined]


def test_logprobs_give_an_expected_score_beside_the_parsed_one() -> None:
    # exp(-0.223) = 0.8 for 2 and 0.2 for 1: expected 1.8.
    tops = [{"token": "2", "logprob": math.log(0.8)}, {"token": "1", "logprob": math.log(0.2)}]
    logprobs = {
        "content": [
            {"token": "Grade", "logprob": 0.0, "top_logprobs": []},
            {"token": ":", "logprob": 0.0, "top_logprobs": []},
            {"token": " 2", "logprob": math.log(0.8), "top_logprobs": tops},
        ]
    }
    prompt = PROMPTS["direct-grade"]
    with running(lambda _: Act(text="Grade: 2", logprobs=logprobs)) as endpoint:
        backend = judge(endpoint, prompt=prompt.template, answer=prompt.answer, decoding={"logprobs": 5})
        response = only(backend)

        assert response.reading is not None
        assert response.reading.score == 2
        assert response.expected_score == pytest.approx(1.8)
        assert (endpoint.log[0].body["logprobs"], endpoint.log[0].body["top_logprobs"]) == (True, 5)


def test_json_schema_asks_for_one_number_on_the_scale() -> None:
    prompt = PROMPTS["after-2024-json"]
    with running(lambda _: Act(text='{"relevance": 85}')) as endpoint:
        backend = judge(
            endpoint, prompt=prompt.template, answer=prompt.answer, decoding={"json_schema": True}
        )
        response = only(backend)

        assert response.reading is not None
        assert response.reading.score == 85
        schema = endpoint.log[0].body["response_format"]["json_schema"]["schema"]
        assert schema["properties"] == {"relevance": {"type": "integer", "minimum": 1, "maximum": 100}}


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": ""},
        {"endpoint": "file:///etc/passwd"},
        {"endpoint": "http://gpu1/v1 gpu2"},
        {"endpoint": "http://gpu1/v1 http://gpu1/v1"},
        {"answer": ""},
        {"decoding": {"n": 3}},
        {"decoding": {"max_tokens": "64"}},
        {"decoding": {"max_tokens": 0}},
        {"decoding": {"max_completion_tokens": 8.5}},
        {"decoding": {"logprobs": True}},
        {"decoding": {"temperature": math.nan}},
        {"decoding": {"json_schema": 1}},
        {"decoding": {"detail": None}},
        {"image_size": "original"},
        {"model": "gpt-next"},
    ],
)
def test_settings_that_cannot_be_sent_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(EndpointSettingsRefused):
        OpenAIChat.pinned(replace(SETTINGS, **changes))


def test_prompt_without_an_image_is_refused() -> None:
    with pytest.raises(PromptRefused):
        OpenAIChat.pinned(replace(SETTINGS, prompt="{fields}"))


def test_settings_are_pinned_to_the_dated_snapshot_or_the_revision_given() -> None:
    assert OpenAIChat.pinned(SETTINGS).model_revision == "judge-2026-01-31"
    served = OpenAIChat.pinned(replace(SETTINGS, model="llava-hf/llava-1.5-7b-hf", model_revision="a" * 40))
    assert served.model_revision == "a" * 40
