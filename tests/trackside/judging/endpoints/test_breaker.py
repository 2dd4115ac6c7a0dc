import pytest

from trackside.judging.answers import Outcome, Reading
from trackside.judging.asking import EndpointError, Response
from trackside.judging.endpoints.breaker import FAILED, OF_ONE_TOPIC, UNSCORED, Breaker

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
