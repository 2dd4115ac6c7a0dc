"""Vision endpoints that speak OpenAI's chat protocol: vendors, Azure, vLLM, SGLang, transformers serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from trackside.judging.asking import Ask, Response
from trackside.judging.endpoints.chat import read_completion, request_body
from trackside.judging.endpoints.clients import pinned_endpoint
from trackside.judging.endpoints.sending import EndpointGenerator
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.prompts import reading_form
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    from trackside.judging.endpoints.chat_client import Reply


class OpenAIChat(EndpointGenerator):
    """One model of OpenAI's chat protocol."""

    revision: ClassVar[int] = 7
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.PAIR
    refuses_long_texts: ClassVar[bool] = False
    path: str = "/chat/completions"

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with defaults and revisions; InputError if one is missing or unsupported."""
        return pinned_endpoint(settings, revision=cls.revision)

    def body(self, ask: Ask) -> dict[str, Any]:
        """Return the body of a request about one pair."""
        return request_body(ask.parts, self.settings)

    def read(self, ask_id: str, reply: Reply) -> Response:
        """Parse a completion."""
        return read_completion(ask_id, reply.content, reply.headers, reading_form(self.settings))
