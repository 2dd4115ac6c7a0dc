"""OpenAI's Batch API: files of requests that are answered within a day, at a lower price."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection
from typing import IO, TYPE_CHECKING, ClassVar, TypeVar

from trackside.errors import InputError
from trackside.judging.asking import Ask, EndpointBusy, EndpointDown, EndpointError, Response, storable
from trackside.judging.endpoints.batches import PATH, RemoteBatch, RemoteState, batch_line, read_answers
from trackside.judging.endpoints.chat import DETAIL_LENGTH
from trackside.judging.endpoints.clients import (
    LARGEST_RESPONSE,
    NOT_FOR_US,
    REFUSED,
    open_async_client,
    pinned_endpoint,
    replicas,
)
from trackside.judging.judge import EVERY_KIND, Unit
from trackside.judging.prompts import reading_form
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import Batch

T = TypeVar("T")
NAME = "trackside"  # metadata key with our name of a batch
LOOKED_AT = 2000  # number of an account's latest batches to search
QUEUE_FULL = "token_limit_exceeded"
LARGEST_FILE = 1_000_000_000  # bytes of one file of answers


class FileTooLarge(EndpointBusy):
    """A response is larger than its limit."""


class OpenAIBatch:
    """One endpoint and model. Each method sends one or two requests; the caller retries."""

    revision: ClassVar[int] = 7
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.BATCH
    refuses_long_texts: ClassVar[bool] = False
    timeout: float = 600.0  # seconds for a whole call: a file has up to 200 MB

    def __init__(self, settings: Settings) -> None:
        """Store the settings; open no connection. The key is in the environment, as for ``openai_chat``."""
        self.settings = settings

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with defaults and revisions; InputError if one is missing or unsupported."""
        if len(replicas(settings.endpoint)) > 1:
            raise InputError(
                "openai_batch accepts one base URL: it cannot spread files by topic.",
                code="endpoint-settings-refused",
            )
        return pinned_endpoint(settings, revision=cls.revision)

    def line(self, ask: Ask) -> bytes:
        """Return the request line of one pair."""
        return batch_line(ask, self.settings)

    def upload(self, file: IO[bytes], name: str) -> str:
        """Upload a file of requests; return the endpoint's file id."""

        async def send(client: AsyncOpenAI) -> str:
            return str((await client.files.create(file=(f"{name}.jsonl", file), purpose="batch")).id)

        return self._call(send)

    def create(self, file_id: str, name: str) -> RemoteBatch:
        """Create a batch from a file, with the name as metadata."""

        async def send(client: AsyncOpenAI) -> RemoteBatch:
            return _remote(
                await client.batches.create(
                    input_file_id=file_id, endpoint=PATH, completion_window="24h", metadata={NAME: name}
                )
            )

        return self._call(send)

    def find(self, file_id: str, name: str) -> RemoteBatch | None:
        """Find the batch of that file or name among the account's latest.

        Skip failed batches: they ran no request.
        """

        async def look(client: AsyncOpenAI) -> RemoteBatch | None:
            left_count = LOOKED_AT
            async for batch in client.batches.list(limit=100):
                is_named = batch.input_file_id == file_id or (batch.metadata or {}).get(NAME) == name
                if is_named and (remote := _remote(batch)).state is not RemoteState.FAILED:
                    return remote
                left_count -= 1
                if not left_count:
                    break
            return None

        return self._call(look)

    def fetch(self, batch_id: str) -> RemoteBatch:
        """Return the current state of a batch."""

        async def ask(client: AsyncOpenAI) -> RemoteBatch:
            return _remote(await client.batches.retrieve(batch_id))

        return self._call(ask)

    def cancel(self, batch_id: str) -> None:
        """Cancel the rest of a batch."""

        async def ask(client: AsyncOpenAI) -> None:
            await client.batches.cancel(batch_id)

        self._call(ask)

    def answers(self, batch: RemoteBatch, ids: Collection[str]) -> list[Response]:
        """Return a response for each id, from the files of an ended batch.

        Each is MALFORMED if a file is too large: fetching it again would not help.
        """
        names = [name for name in (batch.output_file, batch.error_file) if name]

        async def read(client: AsyncOpenAI) -> list[bytes]:
            return [(await client.files.content(name)).read() for name in names]

        try:
            files = self._call(read, largest=LARGEST_FILE)
        except FileTooLarge as error:
            return [Response(name, fault=EndpointError.MALFORMED, detail=str(error)) for name in ids]
        return read_answers(files, ids, reading_form(self.settings), batch.state)

    def _call(self, ask: Callable[[AsyncOpenAI], Awaitable[T]], *, largest: int = LARGEST_RESPONSE) -> T:
        """Call the endpoint; EndpointDown if it refuses the call, EndpointBusy if the result is unknown."""
        import openai

        from trackside.judging.endpoints.bounded_client import ResponseTooLarge  # imports openai, too

        try:
            return asyncio.run(self._bounded(ask, largest))
        except ResponseTooLarge as error:
            raise FileTooLarge(error.message) from error
        except openai.APIStatusError as error:
            detail = f"HTTP {error.status_code}: {error.message}"[:DETAIL_LENGTH]
            if error.status_code in NOT_FOR_US | REFUSED:
                raise EndpointDown(
                    "The endpoint refuses the requests: check key, model and address, and whether it has a "
                    f"Batch API. {detail}"
                ) from error
            raise EndpointBusy(detail) from error
        except TimeoutError as error:
            raise EndpointBusy(f"no complete answer in {self.timeout:g} s") from error
        except (
            openai.APIError,
            ValueError,
            AttributeError,
            TypeError,
            RecursionError,
        ) as error:  # the last four: the response is not a batch
            raise EndpointBusy(f"{type(error).__name__}: {error}"[:DETAIL_LENGTH]) from error

    async def _bounded(self, ask: Callable[[AsyncOpenAI], Awaitable[T]], largest: int) -> T:
        endpoint = self.settings.endpoint
        async with asyncio.timeout(self.timeout):
            async with open_async_client(
                endpoint, os.environ, timeout=self.timeout, largest=largest
            ) as client:
                return await ask(client)


def _remote(batch: Batch) -> RemoteBatch:
    problems = (batch.errors.data if batch.errors else None) or []
    words = "; ".join(
        f"{error.message} (line {error.line})" if error.line else f"{error.message}" for error in problems
    )
    counts = batch.request_counts
    return RemoteBatch(
        id=batch.id,
        state=RemoteState(batch.status),
        output_file=batch.output_file_id or "",
        error_file=batch.error_file_id or "",
        ended_count=counts.completed + counts.failed if counts else 0,
        problem=storable(words[:DETAIL_LENGTH]),
        is_queue_full=bool(problems) and all(error.code == QUEUE_FULL for error in problems),
    )
