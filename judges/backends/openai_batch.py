"""OpenAI's Batch API: files of requests that are answered within a day, at a lower price."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from itertools import islice
from typing import IO, TYPE_CHECKING, ClassVar, TypeVar

from judges.core.answers import FORMS
from judges.core.asking import Ask, EndpointBusy, EndpointDown, Response, storable
from judges.core.endpoints.batches import PATH, RemoteBatch, RemoteState, batch_line, read_answers
from judges.core.endpoints.chat import DETAIL_LENGTH
from judges.core.endpoints.clients import (
    NOT_FOR_US,
    REFUSED,
    EndpointSettingsRefused,
    open_client,
    pinned_endpoint,
    replicas,
)
from judges.core.judge import Unit
from judges.core.settings import Settings

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types import Batch

T = TypeVar("T")
NAME = "trackside"  # metadata key with our name of a batch
LOOKED_AT = 2000  # number of an account's latest batches to search
QUEUE_FULL = "token_limit_exceeded"


class OpenAIBatch:
    """One endpoint and model. Each method sends one or two requests; the caller retries."""

    revision: ClassVar[int] = 2
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.BATCH
    refuses_long_texts: ClassVar[bool] = False
    timeout: float = 600.0  # seconds: a file has up to 200 MB

    def __init__(self, settings: Settings) -> None:
        """Store the settings; open no connection. The environment has the key, as for ``openai_chat``."""
        self.settings = settings

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with defaults and revisions; InputError if one is missing or unsupported."""
        if len(replicas(settings.endpoint)) > 1:
            raise EndpointSettingsRefused("openai_batch takes one base URL: files cannot be spread by topic.")
        return pinned_endpoint(settings, revision=cls.revision)

    def line(self, ask: Ask) -> bytes:
        """Return the request line of one pair."""
        return batch_line(ask, self.settings)

    def upload(self, file: IO[bytes], name: str) -> str:
        """Upload a file of requests; return the endpoint's file id."""
        given = (f"{name}.jsonl", file)
        return self._call(lambda client: str(client.files.create(file=given, purpose="batch").id))

    def create(self, file_id: str, name: str) -> RemoteBatch:
        """Create a batch from a file, with the name as metadata."""
        return self._call(
            lambda client: _remote(
                client.batches.create(
                    input_file_id=file_id, endpoint=PATH, completion_window="24h", metadata={NAME: name}
                )
            )
        )

    def find(self, file_id: str, name: str) -> RemoteBatch | None:
        """Find the batch of that file or name among the account's latest.

        Skip failed batches: they ran no request.
        """

        def look(client: OpenAI) -> RemoteBatch | None:
            latest = islice(client.batches.list(limit=100), LOOKED_AT)
            own = (_remote(each) for each in latest if _is_named(each, file_id, name))
            return next((each for each in own if each.state is not RemoteState.FAILED), None)

        return self._call(look)

    def fetch(self, batch_id: str) -> RemoteBatch:
        """Return the current state of a batch."""
        return self._call(lambda client: _remote(client.batches.retrieve(batch_id)))

    def cancel(self, batch_id: str) -> None:
        """Cancel the rest of a batch."""
        self._call(lambda client: client.batches.cancel(batch_id))

    def answers(self, batch: RemoteBatch, ids: Collection[str]) -> list[Response]:
        """Return a response for each id, from the files of an ended batch."""
        names = [name for name in (batch.output_file, batch.error_file) if name]
        files = self._call(lambda client: [client.files.content(name).read() for name in names])
        return read_answers(files, ids, FORMS[self.settings.answer], batch.state)

    def _call(self, ask: Callable[[OpenAI], T]) -> T:
        """Call the endpoint; EndpointDown if it refuses the call, EndpointBusy if the result is unknown."""
        import openai

        try:
            with open_client(self.settings.endpoint, os.environ, timeout=self.timeout) as client:
                return ask(client)
        except openai.APIStatusError as error:
            detail = f"HTTP {error.status_code}: {error.message}"[:DETAIL_LENGTH]
            if error.status_code in NOT_FOR_US | REFUSED:
                raise EndpointDown(
                    "The endpoint refuses the requests: check key, model and address, and whether it has a "
                    f"Batch API. {detail}"
                ) from error
            raise EndpointBusy(detail) from error
        except (
            openai.APIError,
            ValueError,
            AttributeError,
            TypeError,
        ) as error:  # the last three: the response is no batch
            raise EndpointBusy(f"{type(error).__name__}: {error}"[:DETAIL_LENGTH]) from error


def _is_named(batch: Batch, file_id: str, name: str) -> bool:
    return batch.input_file_id == file_id or (batch.metadata or {}).get(NAME) == name


def _remote(batch: Batch) -> RemoteBatch:
    problems = (batch.errors.data if batch.errors else None) or []
    words = "; ".join(
        f"{each.message} (line {each.line})" if each.line else f"{each.message}" for each in problems
    )
    counts = batch.request_counts
    return RemoteBatch(
        id=batch.id,
        state=RemoteState(batch.status),
        output_file=batch.output_file_id or "",
        error_file=batch.error_file_id or "",
        ended_count=counts.completed + counts.failed if counts else 0,
        problem=storable(words[:DETAIL_LENGTH]),
        is_queue_full=bool(problems) and all(each.code == QUEUE_FULL for each in problems),
    )
