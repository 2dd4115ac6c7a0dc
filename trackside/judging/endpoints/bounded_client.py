"""An HTTP client that limits the size of responses. Importing it loads ``openai``."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import openai

if TYPE_CHECKING:
    from httpx2 import Request, Response


class ResponseTooLarge(openai.APIConnectionError):
    """The body of a response is larger than the client reads."""


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """Reads at most ``largest`` bytes of a decompressed body; ``openai`` itself has no limit."""

    def __init__(self, *, largest: int, **options: Any) -> None:
        super().__init__(**options)
        self._largest = largest

    async def send(self, request: Request, *, stream: bool = False, **options: Any) -> Response:
        """Send a request and read the response. Raises ResponseTooLarge."""
        response = await super().send(request, stream=True, **options)
        parts: list[bytes] = []
        remaining = self._largest
        try:
            async with aclosing(response.aiter_bytes()) as body:
                async for part in body:
                    remaining -= len(part)
                    if remaining < 0:
                        raise ResponseTooLarge(
                            message=f"the response has more than {self._largest:,} bytes", request=request
                        )
                    parts.append(part)
        finally:
            await response.aclose()
        response._content = b"".join(parts)  # noqa: SLF001 - as aread() does
        response.encoding = "utf-8"  # as JSON is; some charsets of a content-type header cannot decode text
        return response
