"""What passes between a job and a judge that answers in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.core.errors import InputError
from judges.core.answers import Reading


class Fault(StrEnum):
    """Why no answer came. A pair that ends so has no score and is never graded 0."""

    SERVER_ERROR = "server_error"
    TIMED_OUT = "timed_out"
    CONNECTION_LOST = "connection_lost"
    MALFORMED = "malformed"  # no JSON, another content type, no choice in it
    ANOTHER_PAIR = "another_pair"  # the endpoint answered a request that was not this one
    REQUEST_REFUSED = "request_refused"  # 400, 413, 422: asking again changes nothing
    NOT_RUN = "not_run"  # the endpoint gave its batch up first
    NO_ANSWER = "no_answer"  # its batch was completed without a word about it
    NOT_ASKED = "not_asked"  # the endpoint went down first; the pair goes on waiting


FREE = frozenset({Fault.SERVER_ERROR, Fault.REQUEST_REFUSED, Fault.NOT_RUN, Fault.NOT_ASKED})
"""Faults that no endpoint bills. After the others a bill is possible and unknown: they count at the bound."""


HALF_PAIR = re.compile(r"[\ud800-\udfff]")


def storable(text: str) -> str:
    """The text as PostgreSQL can keep it: without NUL, and with U+FFFD for half a surrogate pair.

    JSON can spell both, and models that are cut off within a character do.
    """
    return text if text.isascii() and "\0" not in text else HALF_PAIR.sub("\ufffd", text.replace("\0", ""))


class EndpointDown(InputError):
    """The endpoint answers nobody, or not us: asking on would only burn tries."""

    def __init__(self, problem: str) -> None:
        super().__init__(storable(problem))


class EndpointBusy(InputError):
    """The endpoint could not be reached, or had no time: what was asked may have arrived or not."""

    def __init__(self, problem: str) -> None:
        super().__init__(storable(problem))


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: an id that no other has, and the parts of the prompt: texts, and the image's bytes.

    Asks of one ``topic`` have most of their words in common, which is why they go to one replica.
    """

    id: str
    parts: tuple[str | bytes, ...]
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of an ask: a reading of the raw answer, or a fault.

    ``usage`` is None where the endpoint tells none; ``expected_score`` is the mean score by the probabilities
    of the next tokens, None where they are not known. ``detail`` tells of a fault what the endpoint said.
    All text is made ``storable``, whichever backend it comes from.
    """

    id: str
    reading: Reading | None = None
    fault: Fault | None = None
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
"""Gives up to so many further asks; none where there is nothing to ask now."""
