"""Requests to an endpoint in the form of OpenAI's chat, for tests of judges."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.judges.endpoint import Act, Endpoint, Request, plain
from tests.trackside.backends.generators import responses
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.asking import Ask, Response
from trackside.judging.settings import Settings
from trackside.judging.shipped_prompts import BUILT_IN

PROMPTS = {prompt.name: prompt for prompt in BUILT_IN}
TEXT_FIRST = PROMPTS["own-words-text-first"]
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


def judge(endpoint: Endpoint, **changes: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIChat.pinned(replace(SETTINGS, endpoint=endpoint.url, **changes)))


def asks(count: int) -> list[Ask]:
    return [Ask(f"ts-{place:032x}", (f"text {place}", JPEG)) for place in range(count)]


def only(backend: OpenAIChat) -> Response:
    (response,) = responses(backend, asks(1)).values()
    return response


def first(count: int, act: Act) -> Callable[[Request], Act]:
    """This act for the first requests, then plain answers."""
    return lambda request: act if request.number < count else plain(request)
