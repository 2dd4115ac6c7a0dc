"""An HTTP client for the requests of one endpoint. Importing it loads ``aiohttp``.

A request takes a sixth of the processor time of ``openai``'s client, whose pool of connections looks at every
connection at each request.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.request import getproxies, proxy_bypass

from aiohttp import ClientError, ClientPayloadError, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

from trackside.judging.endpoints.clients import LARGEST_RESPONSE, client_options

NO_RESPONSE = (ClientError, OSError)  # what ``post`` raises if the connection fails; OSError has TimeoutError


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete response; ``headers`` ignore case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class ChatClient:
    """Sends each request once, over connections that it keeps open, and follows no redirect.

    Like ``openai``'s client it reads proxies and the organization of an account from the environment.
    """

    def __init__(self, endpoint: str, environment: Mapping[str, str], *, path: str) -> None:
        """Open no connection; ``path`` follows the base URL. Raises EndpointRefused."""
        options = client_options(endpoint, environment)
        self._url = URL(options["base_url"].rstrip("/") + path).with_query(options["default_query"])
        accounts = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
        self._headers = {
            "Authorization": f"Bearer {options['api_key']}",
            "Content-Type": "application/json",
            **options["default_headers"],
            **{header: environment[name] for header, name in accounts.items() if environment.get(name)},
        }

    @cached_property
    def _session(self) -> ClientSession:
        """The session of the running event loop. The caller bounds connections and times."""
        proxies = {} if proxy_bypass(self._url.host or "") else getproxies()
        return ClientSession(
            connector=TCPConnector(limit=0, ssl=ssl.create_default_context()),
            headers=self._headers,
            proxy=proxies.get(self._url.scheme),
            timeout=ClientTimeout(),
        )

    async def post(self, body: Mapping[str, Any], request_id: str) -> Reply:
        """Send a request and read the response, at most LARGEST_RESPONSE bytes. Raises NO_RESPONSE."""
        content = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        ids = {"X-Request-Id": request_id, "X-Client-Request-Id": request_id}
        await asyncio.sleep(0)  # the event loop notices idle connections that the endpoint has closed
        async with self._session.post(
            self._url, data=content, headers=ids, allow_redirects=False
        ) as response:
            parts, remaining = [], LARGEST_RESPONSE
            async for part in response.content.iter_any():
                parts.append(part)
                remaining -= len(part)
                if remaining < 0:
                    raise ClientPayloadError(f"the response has more than {LARGEST_RESPONSE:,} bytes")
            return Reply(response.status, response.headers, b"".join(parts))

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()
