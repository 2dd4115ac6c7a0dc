import io
from dataclasses import replace
from typing import Any

import pytest

from tests.judges.batch_endpoint import BatchScript, error_line
from tests.judges.endpoint import Act, Endpoint, running
from tests.refusals import refused
from tests.trackside.backends.chat_requests import JPEG, SETTINGS
from trackside.backends.openai_batch import OpenAIBatch
from trackside.judging.asking import Ask, EndpointBusy, EndpointDown
from trackside.judging.endpoints.batches import RemoteState
from trackside.judging.endpoints.keys import key_variable

NAME = "ts-" + "a" * 32


def judge(endpoint: Endpoint) -> OpenAIBatch:
    return OpenAIBatch(OpenAIBatch.pinned(replace(SETTINGS, backend="openai_batch", endpoint=endpoint.url)))


def submitted(backend: OpenAIBatch, name: str = NAME) -> tuple[str, str]:
    """The endpoint's names of a file with one request, and of the batch of it."""
    file_id = backend.upload(io.BytesIO(backend.line(Ask(NAME, ("text", JPEG)))), name)
    return file_id, backend.create(file_id, name).id


def test_file_is_submitted_and_answers_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    script = BatchScript()
    with running(script) as endpoint:
        monkeypatch.setenv(key_variable(endpoint.url), "secret")
        backend = judge(endpoint)
        file_id, batch_id = submitted(backend)
        assert backend.fetch(batch_id).state is RemoteState.VALIDATING
        script.is_open = False
        ended = backend.fetch(batch_id)
        (response,) = backend.answers(ended, [NAME])

    assert script.files[file_id] == backend.line(Ask(NAME, ("text", JPEG)))
    made = script.batches[batch_id]
    assert (made["endpoint"], made["completion_window"]) == ("/v1/chat/completions", "24h")
    assert {request.headers["authorization"] for request in endpoint.log} == {"Bearer secret"}
    assert (ended.state, ended.ended_count) == (RemoteState.COMPLETED, 1)
    assert response.reading is not None
    assert response.usage is not None


def test_batch_is_found_by_its_file_or_by_our_name_unless_it_failed() -> None:
    script = BatchScript()
    with running(script) as endpoint:
        backend = judge(endpoint)
        file_id, batch_id = submitted(backend)
        submitted(backend, "ts-another")

        by_file, by_name = backend.find(file_id, "ts-no-such"), backend.find("file-none", NAME)
        assert by_file == by_name
        assert by_file is not None
        assert by_file.id == batch_id
        assert backend.find("file-none", "ts-none") is None
        script.batches[batch_id]["status"] = "failed"
        assert backend.find(file_id, NAME) is None


def test_answers_come_from_both_files() -> None:
    script = BatchScript(
        is_open=False,
        end=lambda lines: ("expired", [], [error_line(line, "batch_expired") for line in lines]),
    )
    with running(script) as endpoint:
        backend = judge(endpoint)
        ended = backend.fetch(submitted(backend)[1])
        (response,) = backend.answers(ended, [NAME])

    assert (ended.state, ended.output_file, response.fault) == (RemoteState.EXPIRED, "", "not_run")


@pytest.mark.parametrize(
    ("problems", "is_queue_full"),
    [
        ([{"code": "token_limit_exceeded", "message": "Full."}], True),
        ([{"code": "token_limit_exceeded", "message": "Full."}, {"code": "x", "message": "Bad."}], False),
        ([], False),
    ],
)
def test_full_queue_is_distinguished_from_a_refused_file(
    problems: list[dict[str, str]], is_queue_full: object
) -> None:
    script = BatchScript(is_open=False, end=lambda lines: ("failed", [], []), problems=problems)
    with running(script) as endpoint:
        backend = judge(endpoint)
        ended = backend.fetch(submitted(backend)[1])

    assert (ended.state, ended.is_queue_full) == (RemoteState.FAILED, is_queue_full)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_endpoint_that_refuses_us_is_down(status: int) -> None:
    with running(BatchScript(refuse={"files": Act(status=status)})) as endpoint, pytest.raises(EndpointDown):
        submitted(judge(endpoint))


@pytest.mark.parametrize(
    "act",
    [
        Act(status=429),
        Act(status=500),
        Act(status=500, content_type="application/json; charset=zlib"),
        Act(is_reset=True),
        Act(body=b"[]"),
        Act(body=b"{}"),
        Act(body=b"[" * 2000 + b"]" * 2000),
    ],
)
def test_endpoint_with_a_malformed_response_is_busy(act: Act) -> None:
    with running(BatchScript(refuse={"batches": act})) as endpoint, pytest.raises(EndpointBusy):
        submitted(judge(endpoint))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"decoding": {"n": 2}}, "openai_batch does not send"),
        ({"endpoint": "http://gpu1/v1 http://gpu2/v1"}, "one base URL"),
    ],
)
def test_settings_are_those_of_the_chat_protocol_at_one_endpoint(changes: dict[str, Any], words: str) -> None:
    with refused("endpoint-settings-refused", match=words):
        OpenAIBatch.pinned(replace(SETTINGS, backend="openai_batch", **changes))


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Act(is_drip=True, body=b"{}"), "no complete answer in 2 s"),
        (Act(is_endless=True, body=b""), "the response has more than 16,000,000 bytes"),
    ],
)
def test_endpoint_holds_a_worker_neither_by_slow_nor_by_endless_responses(
    act: Act, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if act.is_drip:
        monkeypatch.setattr(OpenAIBatch, "timeout", 2.0)
    with running(lambda _: act) as endpoint, pytest.raises(EndpointBusy, match=reason):
        judge(endpoint).fetch("batch_0")
