"""Errors of an endpoint: what is tried again, what costs a pair its score, and what ends the job."""

from __future__ import annotations

import asyncio
import gzip
import socket
from collections import Counter
from dataclasses import replace

import pytest

from tests.judges.endpoint import Act, plain, running
from tests.trackside.backends.chat_requests import SETTINGS, asks, first, judge, only
from tests.trackside.backends.generators import responses, taking
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointDown, EndpointError, Response
from trackside.judging.endpoints.breaker import FAULTY
from trackside.judging.endpoints.keys import key_variable
from trackside.judging.endpoints.sending import Session

pytestmark = pytest.mark.usefixtures("hasty")


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


def test_redirect_ends_the_job_and_carries_no_key_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as thief:
        moved = Act(status=308, headers={"location": f"{thief.url}/chat/completions"})
        with running(lambda _: moved) as endpoint:
            monkeypatch.setenv(key_variable(endpoint.url), "secret")
            with pytest.raises(EndpointDown, match=r"check key, model and address\. HTTP 308"):
                only(judge(endpoint))

        assert thief.log == []


def test_replica_that_is_down_is_named() -> None:
    with running() as first, running(lambda _: Act(status=503)) as second:
        backend = judge(first)
        backend.settings = replace(backend.settings, endpoint=f"{first.url} {second.url}")
        some = [replace(ask, topic=f"T{place}") for place, ask in enumerate(asks(500))]
        with pytest.raises(EndpointDown, match=f"^{second.url}: The endpoint failed 7 times"):
            responses(backend, some)

        assert len(first.answered) > 0


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
    monkeypatch.setattr("trackside.judging.endpoints.breaker.asyncio", clock)
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
        session = Session(OpenAIChat(replace(SETTINGS, endpoint="http://127.0.0.1:1/v1")))

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


def test_answers_that_come_soon_after_the_endpoint_rejects_a_request_count() -> None:
    got = list[Response]()
    with running(lambda each: Act(status=401) if "text 0" in each.shown else Act(delay=0.5)) as endpoint:
        batches = judge(endpoint).responses(taking(asks(8)))
        with pytest.raises(EndpointDown, match="HTTP 401"):
            got.extend(response for batch in batches for response in batch)

    assert Counter(response.fault for response in got) == {None: 7, EndpointError.NOT_ASKED: 1}


def test_long_wait_pauses_the_job() -> None:
    plan = first(1, Act(status=429, headers={"retry-after": "86400"}))
    with running(plan) as endpoint, pytest.raises(EndpointDown, match="86400 s"):
        only(judge(endpoint))


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        (Act(status=500), EndpointError.SERVER_ERROR),
        (Act(is_reset=True), EndpointError.CONNECTION_LOST),
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


def test_burst_of_errors_costs_each_pair_one_try_at_most() -> None:
    # 20 requests are in flight when the endpoint fails; then one request at a time is sent until it answers.
    with running(first(23, Act(status=500))) as endpoint:
        found = responses(judge(endpoint), asks(60))

        faults = [response for response in found.values() if response.fault]
        assert len(faults) == 23
        assert len(endpoint.log) == 60


@pytest.mark.parametrize("apart", [0.0, 0.02])
def test_endpoint_that_is_down_stops_the_asking(apart: float) -> None:
    """The first answers come together, or seconds ``apart``, so that each lets one request more be sent."""
    with running(lambda asked: Act(status=503, delay=apart * min(asked.number, FAULTY))) as endpoint:
        some, got = asks(500), list[Response]()
        taken = taking(some)
        batches = judge(endpoint).responses(taken)
        with pytest.raises(EndpointDown, match="7 times in a row"):
            got.extend(response for batch in batches for response in batch)

        # The first 64, at most one for each fault that closes nothing yet, and one probe a round after it.
        assert len(endpoint.log) <= 64 + (FAULTY - 1) + 6
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
