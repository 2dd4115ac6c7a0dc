"""Endpoints that give a pair one number: /score of vLLM, /rerank of Jina, Cohere and TEI."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from trackside.errors import InputError
from trackside.judging.asking import Ask, Response
from trackside.judging.endpoints.clients import pinned_endpoint
from trackside.judging.endpoints.scores import (
    ANSWER,
    PROTOCOLS,
    SCORE,
    is_parted,
    read_score,
    score_body,
)
from trackside.judging.endpoints.sending import EndpointGenerator
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.prompts import DOCUMENT, images_in
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    from trackside.judging.endpoints.chat_client import Reply


class ScoreEndpoint(EndpointGenerator):
    """A reranker or cross-encoder; ``decoding`` may name its ``protocol``: score, rerank or tei."""

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.PAIR
    refuses_long_texts: ClassVar[bool] = False

    def __init__(self, settings: Settings) -> None:
        """Store the settings; open no connection."""
        super().__init__(settings)
        self.path = PROTOCOLS[settings.decoding["protocol"]]

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with protocol and revisions; InputError if one is missing or unsupported."""
        protocol = settings.decoding.get("protocol", SCORE)
        if set(settings.decoding) - {"protocol"} or protocol not in PROTOCOLS:
            raise InputError(
                f"score_endpoint has one option: protocol, one of {', '.join(PROTOCOLS)}.",
                code="endpoint-settings-refused",
            )
        if settings.answer != ANSWER or not is_parted(settings.prompt):
            raise InputError(
                f"score_endpoint reads a query and a document: write both into the prompt with {DOCUMENT} "
                f"between them, as {{topic.fields}}{DOCUMENT}{{document.fields}}, and choose {ANSWER} as the "
                "form of answer.",
                code="endpoint-settings-refused",
            )
        if protocol != SCORE and images_in(settings.prompt):
            raise InputError(
                f"The protocol {protocol} sends texts only. Choose {SCORE}, or a prompt without images.",
                code="endpoint-settings-refused",
            )
        pinned = pinned_endpoint(replace(settings, decoding={}), revision=cls.revision)
        return replace(pinned, decoding={"protocol": protocol})

    def body(self, ask: Ask) -> dict[str, Any]:
        """Return the body of a request about one pair."""
        return score_body(ask.parts, self.settings)

    def read(self, ask_id: str, reply: Reply) -> Response:
        """Parse the number of a pair."""
        return read_score(ask_id, reply.content, reply.headers)
