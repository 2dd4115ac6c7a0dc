"""Requests and responses between a job and a judge that answers in text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from trackside.errors import InputError
from trackside.judging.answers import Reading


class EndpointError(StrEnum):
    """Why a request has no answer. Such a pair has no score and is never graded 0."""

    SERVER_ERROR = "server_error"
    TIMED_OUT = "timed_out"
    CONNECTION_LOST = "connection_lost"
    MALFORMED = "malformed"  # invalid JSON, another content type, or no choice
    ANOTHER_PAIR = "another_pair"  # the answer belongs to another request
    REQUEST_REFUSED = "request_refused"  # 400, 413, 415, 422: a retry would fail, too
    NOT_RUN = "not_run"  # the endpoint expired or cancelled the batch first
    NO_ANSWER = "no_answer"  # the batch completed without a line for this request
    NOT_ASKED = "not_asked"  # the endpoint went down first; the pair stays pending


FREE = frozenset(
    {
        EndpointError.SERVER_ERROR,
        EndpointError.REQUEST_REFUSED,
        EndpointError.NOT_RUN,
        EndpointError.NOT_ASKED,
    }
)
"""Faults that no endpoint bills unless it counts their tokens.

Endpoints may bill others at an unknown price, so we charge the bound.
"""


HALF_PAIR = re.compile(r"[\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text as PostgreSQL can store it: without NUL, lone surrogates replaced by U+FFFD.

    JSON can contain both; models that are cut off within a character send them.
    """
    return text if text.isascii() and "\0" not in text else HALF_PAIR.sub("\ufffd", text.replace("\0", ""))


class EndpointDown(InputError):
    """The endpoint is down, or rejects our key or address: further requests would only waste attempts."""

    def __init__(self, problem: str) -> None:
        super().__init__(storable(problem))


class EndpointBusy(InputError):
    """The endpoint is unreachable or overloaded: it may or may not have received the request."""

    def __init__(self, problem: str) -> None:
        super().__init__(storable(problem))


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: a unique id, and the parts of the prompt: texts, and the image's bytes.

    Requests of one ``topic`` go to the same replica, because they share most of their prompt.
    """

    id: str
    parts: tuple[str | bytes, ...]
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens that an endpoint bills: input, output, and the thoughts within the output.

    ``is_doubtful``: the endpoint's counts contradict each other, so the answer may cost its bound.
    """

    input_tokens: int
    output_tokens: int
    thought_tokens: int = 0
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """The result of a request: a reading of the raw answer, or a fault.

    ``usage`` is None if the endpoint reports none; ``expected_score`` is the mean score by the probabilities
    of the next tokens, None if they are unknown. ``detail`` is the endpoint's error text of a fault. All text
    is made ``storable``, whichever backend it comes from.
    """

    id: str
    reading: Reading | None = None
    fault: EndpointError | None = None
    text: str = ""
    finish_reason: str = ""
    expected_score: float | None = None
    usage: Usage | None = None
    latency_ms: int | None = None
    detail: str = ""

    def __post_init__(self) -> None:
        for name in ("text", "finish_reason", "detail"):
            object.__setattr__(self, name, storable(getattr(self, name)))


Take = Callable[[int], Sequence[Ask]]
"""Return at most that many further requests; empty if none is ready."""
