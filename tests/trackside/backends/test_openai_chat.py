import base64
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from tests.judges.endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, Act, running, score_of
from tests.refusals import refused
from tests.trackside.backends.chat_requests import JPEG, PROMPTS, SETTINGS, asks, judge, only
from tests.trackside.backends.generators import responses, taking
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.answers import Outcome
from trackside.judging.asking import Response, Usage
from trackside.judging.endpoints.keys import key_variable

pytestmark = pytest.mark.usefixtures("hasty")


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


def test_key_of_the_environment_and_query_of_the_base_url_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as endpoint:
        monkeypatch.setenv(key_variable(endpoint.url), "secret")
        backend = judge(endpoint)
        backend.settings = replace(backend.settings, endpoint=f"{endpoint.url}?api-version=2026-01-01")
        only(backend)

        assert endpoint.log[0].headers["authorization"] == "Bearer secret"
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


def test_no_more_requests_than_allowed_are_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenAIChat, "in_flight", 5)
    # No request is answered before five are in flight, however slowly the machine sends them.
    with running(lambda _: Act(delay=0.02, is_time=lambda: endpoint.peak >= 5)) as endpoint:
        responses(judge(endpoint), asks(30))

        assert endpoint.peak == 5


def test_jobs_at_one_endpoint_share_its_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "4")
    is_time = Event()
    with running(lambda _: Act(delay=0.02, is_time=is_time.is_set)) as endpoint, ThreadPoolExecutor() as pool:
        first = pool.submit(responses, judge(endpoint), asks(12))
        while endpoint.peak < 4:
            time.sleep(0.01)
        second = pool.submit(responses, judge(endpoint), asks(12))
        time.sleep(1.5)  # longer than the wait for a free slot
        assert len(endpoint.asked) == 4
        is_time.set()

        assert [len(each.result()) for each in (first, second)] == [12, 12]
        assert endpoint.peak == 4


def test_the_workers_environment_allows_more_requests_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "100")
    with running(lambda _: Act(is_time=lambda: endpoint.peak >= 100)) as endpoint:
        responses(judge(endpoint), asks(120))

        assert endpoint.peak == 100

    monkeypatch.setenv("JUDGE_REQUESTS_IN_FLIGHT", "many")
    with refused("endpoint-settings-refused", match="Give a number from 1 to 1,000"):
        judge(endpoint)


def test_answers_without_a_score_keep_their_words() -> None:
    with running(lambda _: Act(text="", refusal="I can't\0 help with that.")) as endpoint:
        response = only(judge(endpoint))

    assert response.reading is not None
    assert (response.reading.outcome, response.reading.score) == (Outcome.REFUSAL, None)
    assert response.text == "I can't help with that."


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
    prompt = PROMPTS["own-words-json"]
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
        {"image_size": "draft"},
        {"image_size": "0"},
        {"image_size": "1024 px"},
        {"model": "gpt-next"},
    ],
)
def test_settings_that_cannot_be_sent_are_refused(changes: dict[str, Any]) -> None:
    with refused("endpoint-settings-refused"):
        OpenAIChat.pinned(replace(SETTINGS, **changes))


def test_prompt_without_an_image_is_refused() -> None:
    with refused("prompt-refused"):
        OpenAIChat.pinned(replace(SETTINGS, prompt="{fields}"))


def test_settings_are_pinned_to_the_dated_snapshot_or_the_revision_given() -> None:
    assert OpenAIChat.pinned(SETTINGS).model_revision == "judge-2026-01-31"
    served = OpenAIChat.pinned(replace(SETTINGS, model="llava-hf/llava-1.5-7b-hf", model_revision="a" * 40))
    assert served.model_revision == "a" * 40
