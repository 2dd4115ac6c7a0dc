import asyncio
from collections.abc import Callable

import pytest

from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointDown, EndpointError, Response
from trackside.judging.endpoints.breaker import (
    FAILED,
    FAULTY,
    LAST,
    OF_ONE_TOPIC,
    ROUNDS,
    UNSCORED,
    Breaker,
    RequestGate,
)

FAILURE = Response("", fault=EndpointError.SERVER_ERROR, detail="HTTP 500")
REFUSAL = Response("", fault=EndpointError.REQUEST_REFUSED, detail="HTTP 400")
SCORE = Response("", Reading(Outcome.OK, 42), text="Relevance: 42")
WORDS = Response("", Reading(Outcome.UNPARSED), text="A barn.")


def problems(*responses: tuple[Response, str]) -> list[str]:
    breaker = Breaker()
    return [breaker.count(response, topic) for response, topic in responses]


def test_breaker_reports_the_last_of_failures_in_a_row() -> None:
    found = problems(*[(FAILURE, "T1")] * FAILED)

    assert found[:-1] == [""] * (FAILED - 1)
    assert found[-1] == f"{FAILED} requests in a row failed, the last as server_error: HTTP 500"


@pytest.mark.parametrize("answer", [SCORE, WORDS])
def test_answer_resets_the_breaker(answer: Response) -> None:
    almost = [(FAILURE, "T1")] * (FAILED - 1)

    assert not any(problems(*almost, (answer, "T1"), *almost))


def test_breaker_tolerates_more_refusals_of_one_topic() -> None:
    found = problems(*[(REFUSAL, "T1")] * OF_ONE_TOPIC)

    assert [bool(each) for each in found] == [False] * (OF_ONE_TOPIC - 1) + [True]
    assert problems(*[(REFUSAL, "T1")] * (FAILED - 1), (REFUSAL, "T2"))[-1]


def test_breaker_reports_the_last_answer_without_a_score() -> None:
    found = problems(*[(WORDS, "T1")] * UNSCORED)

    assert not any(found[:-1])
    assert found[-1] == f'{UNSCORED} answers in a row gave no score, the last one is unparsed: "A barn."'
    assert not any(problems(*[(WORDS, "T1")] * (UNSCORED - 1), (SCORE, "T1"), (WORDS, "T1")))


def is_open(before: Callable[[RequestGate, float], None]) -> bool:
    """Whether a request enters a gate at once after what came before it."""

    async def enters() -> bool:
        gate = RequestGate(seed=1, first_wait=60.0)
        before(gate, await gate.enter())
        request = asyncio.ensure_future(gate.enter())
        await asyncio.sleep(0)
        is_in = request.done()
        request.cancel()
        return is_in

    return asyncio.run(enters())


def answers(gate: RequestGate, entered: float, of: str) -> None:
    """Count answers: "." for one, "x" for a fault."""
    for each in of:
        if each == "x":
            gate.failed(entered, "HTTP 500")
        else:
            gate.succeeded()


@pytest.mark.parametrize("of", ["x", "xxxx", "x.." * 10, "." * LAST + "x" * (FAULTY - 1)])
def test_single_faults_of_a_server_that_answers_hold_nothing_back(of: str) -> None:
    assert is_open(lambda gate, entered: answers(gate, entered, of))


@pytest.mark.parametrize("of", ["x" * FAULTY, "." * LAST + "x" * FAULTY, "x." * (FAULTY - 1) + "x"])
def test_faults_of_half_of_the_last_answers_hold_requests_back(of: str) -> None:
    assert not is_open(lambda gate, entered: answers(gate, entered, of))


def test_wait_that_the_endpoint_asks_for_is_kept_at_once() -> None:
    assert not is_open(lambda gate, entered: gate.failed(entered, "busy", wait=60.0))


def test_outage_ends_the_job_after_its_rounds() -> None:
    async def outage() -> int:
        gate, sent = RequestGate(seed=1, first_wait=0.0), 0
        try:
            while True:
                entered = await gate.enter()
                sent += 1
                await asyncio.sleep(0.001)
                gate.failed(entered, "HTTP 500")
        except EndpointDown:
            return sent

    assert asyncio.run(outage()) == FAULTY + ROUNDS - 1


def test_first_refusal_of_a_prompt_with_all_examples_is_a_reason_to_stop() -> None:
    breaker = Breaker(("T1",), is_tried=False)

    assert not breaker.is_first("T1")  # without its own examples
    assert breaker.count(REFUSAL, "T1") == ""
    assert breaker.is_first("T2")
    assert "HTTP 400" in breaker.count(REFUSAL, "T2")
    assert breaker.count(FAILURE, "T2") == ""
    assert breaker.is_first("T3")
    assert breaker.count(SCORE, "T3") == ""
    assert not breaker.is_first("T2")
    assert breaker.count(REFUSAL, "T2") == ""
