"""OpenAI's Batch API as plain text: write request files, parse answer files.

``vllm run-batch`` reads the same request lines.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from trackside.judging.asking import Ask, EndpointError, Response
from trackside.judging.endpoints.chat import DETAIL_LENGTH, completion_response, request_body
from trackside.judging.endpoints.clients import REFUSED
from trackside.judging.forms import AnswerForm
from trackside.judging.settings import Settings

MOST_REQUESTS = 50_000
MOST_BYTES = 200_000_000
PATH: Final = "/v1/chat/completions"
NOT_RUN = frozenset({"batch_expired", "batch_cancelled"})  # codes of requests that were not run or billed


class RemoteState(StrEnum):
    """The state of a batch at its endpoint."""

    VALIDATING = "validating"
    FAILED = "failed"
    IN_PROGRESS = "in_progress"
    FINALIZING = "finalizing"
    COMPLETED = "completed"
    EXPIRED = "expired"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"


ENDED = frozenset({RemoteState.FAILED, RemoteState.COMPLETED, RemoteState.EXPIRED, RemoteState.CANCELLED})


@dataclass(frozen=True, slots=True)
class RemoteBatch:
    """A batch as reported by its endpoint; file names are empty if there is no file.

    ``ended_count`` is the number of requests with an answer or an error. ``problem`` is the reason for a
    failure; ``is_queue_full`` means that it failed only because the endpoint's queue is full.
    """

    id: str
    state: RemoteState
    output_file: str = ""
    error_file: str = ""
    ended_count: int = 0
    problem: str = ""
    is_queue_full: bool = False


def batch_line(ask: Ask, settings: Settings) -> bytes:
    """Return the request line of one pair."""
    line = {"custom_id": ask.id, "method": "POST", "url": PATH, "body": request_body(ask.parts, settings)}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def line_size(texts: Sequence[str | None], image_sizes: Sequence[int], settings: Settings) -> int:
    """Return the maximum bytes of a line with images of these bytes; base64 turns 3 into 4."""
    empty = Ask("ts-" + "0" * 32, tuple(b"" if text is None else text for text in texts))
    return len(batch_line(empty, settings)) + sum(4 * -(-size // 3) for size in image_sizes)


def split(sizes: Iterable[int]) -> Iterator[range]:
    """Yield the range of lines for each file: lines in order, each file as full as the limits allow."""
    start = number = total = 0
    for number, size in enumerate(sizes, start=1):
        if number - 1 > start and (number - start > MOST_REQUESTS or total + size > MOST_BYTES):
            yield range(start, number - 1)
            start, total = number - 1, 0
        total += size
    if number > start:
        yield range(start, number)


def read_answers(
    files: Iterable[bytes], ids: Collection[str], form: AnswerForm, state: RemoteState
) -> list[Response]:
    """Return a response for each id, from the answer and error files, in any order of lines.

    Lines that are not JSON or have an unknown id are skipped. If two lines have the same id, an answer beats
    an error; two different answers are MALFORMED, because either may be wrong. An id without a line is
    NO_ANSWER if the batch completed, else NOT_RUN.
    """
    responses: dict[str, Response] = {}
    for name, line in _lines(files):
        if name in ids:
            response = _line_response(name, line, form)
            responses[name] = _one_of(responses[name], response) if name in responses else response
    unnamed = EndpointError.NO_ANSWER if state is RemoteState.COMPLETED else EndpointError.NOT_RUN
    return [responses.get(name) or Response(name, fault=unnamed, detail=f"batch {state}") for name in ids]


def _lines(files: Iterable[bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    for content in files:
        for text in content.splitlines():
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(line, dict):
                yield str(line.get("custom_id")), line


def _one_of(first: Response, second: Response) -> Response:
    """Merge two lines about one request."""
    if first.reading and second.reading:
        if first == second:
            return first
        return Response(
            first.id, fault=EndpointError.MALFORMED, usage=first.usage, detail="two answers that differ"
        )
    return first if first.reading else second


def _line_response(name: str, line: dict[str, Any], form: AnswerForm) -> Response:
    """Parse one line: a completion, or the error of one request."""
    http, error = line.get("response"), line.get("error")
    if not isinstance(http, dict):
        code = error.get("code") if isinstance(error, dict) else None
        fault = EndpointError.NOT_RUN if str(code) in NOT_RUN else EndpointError.SERVER_ERROR
        return Response(name, fault=fault, detail=_words(error))
    status, body = http.get("status_code"), http.get("body")
    if status == 200:
        return completion_response(name, body, form)
    is_refused = isinstance(status, int) and status in REFUSED
    fault = EndpointError.REQUEST_REFUSED if is_refused else EndpointError.SERVER_ERROR
    return Response(name, fault=fault, detail=f"HTTP {status}: {_words(body or error)}"[:DETAIL_LENGTH])


def _words(error: object) -> str:
    return json.dumps(error, ensure_ascii=False)[:DETAIL_LENGTH]
