"""Endpoints of OpenAI's protocol: validate their settings and open clients."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from trackside.errors import InputError
from trackside.judging.endpoints.chat import pinned_decoding
from trackside.judging.endpoints.keys import EndpointRefused, endpoint_key, key_variable
from trackside.judging.forms import answer_form
from trackside.judging.prompts import check_template
from trackside.judging.settings import IMAGE_SIZES, Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

DATED = re.compile(r"\d{4}-?\d{2}-?\d{2}")
REDIRECTS = frozenset({300, 301, 302, 303, 305, 307, 308})  # never followed: they would leak the key
# Wrong key, model or address: every pair would fail.
NOT_FOR_US = frozenset({401, 403, 404, 405}) | REDIRECTS
REFUSED = frozenset({400, 413, 415, 422})
TIMEOUT = 20.0  # seconds for requests about a model
LARGEST_RESPONSE = 16_000_000  # bytes; enough for thousands of tokens with 20 alternatives each
IN_FLIGHT = "JUDGE_REQUESTS_IN_FLIGHT"
MOST_CONNECTIONS = 1000  # most systems let a process open 1,024 files
BUSY = frozenset({408, 409, 425, 429})


def pinned_endpoint(settings: Settings, *, revision: int) -> Settings:
    """Return the settings with defaults and revisions; raise InputError if one is missing or unsupported."""
    name = settings.backend
    check_template(settings.prompt)
    urls = checked_replicas(settings.endpoint)
    if not urls:
        raise InputError(
            f"{name} needs a base URL, such as http://host:8000/v1.", code="endpoint-settings-refused"
        )
    answer_form(settings.answer, code="endpoint-settings-refused")
    if not settings.has_asked_size:
        raise InputError(
            f'{name} sends no images of the size "{settings.image_size}". Give {IMAGE_SIZES}.',
            code="endpoint-settings-refused",
        )
    if not settings.model_revision and not DATED.search(settings.model):
        raise InputError(
            f'"{settings.model}" is not a fixed version. Use a dated snapshot, such as '
            f"{settings.model}-2026-01-31, or enter as its revision the commit that your server has loaded.",
            code="endpoint-settings-refused",
        )
    return replace(
        settings,
        revision=revision,
        model_revision=settings.model_revision or settings.model,
        dtype="",
        endpoint=" ".join(urls),
        decoding=pinned_decoding(settings.decoding, name),
    )


def checked_replicas(endpoint: str) -> tuple[str, ...]:
    """Return the base URLs without a slash at the end. Raises endpoint-settings-refused for other texts."""
    urls = tuple(url.rstrip("/") for url in replicas(endpoint))
    for url in urls:
        _check_address(url)
    if len(set(urls)) < len(urls):
        raise InputError(
            "A base URL is listed twice: list each replica once.", code="endpoint-settings-refused"
        )
    return urls


def _check_address(url: str) -> None:
    if urlsplit(url).scheme not in {"http", "https"}:
        raise InputError(
            f"{url} is no base URL, such as http://host:8000/v1.", code="endpoint-settings-refused"
        )
    if "@" in urlsplit(url).netloc:
        raise InputError(
            "Remove the password from the base URL: keys are in the environment.",
            code="endpoint-settings-refused",
        )
    try:
        key_variable(url)
    except EndpointRefused as error:
        raise InputError(str(error), code="endpoint-settings-refused") from error


def replicas(endpoint: str) -> tuple[str, ...]:
    """Return the blank-separated base URLs of a judge's endpoint: each serves the same model."""
    return tuple(endpoint.split())


def spellings(endpoint: str) -> tuple[str, str]:
    """Return both spellings of an endpoint: without and with a trailing slash."""
    bare = endpoint.rstrip("/")
    return bare, bare + "/"


def replica_of(topic: str, count: int) -> int:
    """Return the index of a topic's replica: the same one each time, in every worker."""
    return int.from_bytes(hashlib.sha256(topic.encode()).digest()[:8]) % count


def client_options(endpoint: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of an OpenAI client, with address and key; the client itself retries nothing.

    The query string of the address is sent with every request, such as Azure's api-version; Azure also reads
    the key from its own header. Raises EndpointRefused.
    """
    parts = urlsplit(endpoint)
    key = endpoint_key(endpoint, environment)
    is_azure = (parts.hostname or "").endswith(".azure.com")
    return {
        "api_key": key,
        "base_url": urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
        "default_query": dict(parse_qsl(parts.query)),
        "default_headers": {"api-key": key} if is_azure else {},
        "max_retries": 0,  # the ledger records every request; retries of the client would be missing there
    }


def requests_in_flight(environment: Mapping[str, str], default: int) -> int:
    """Return JUDGE_REQUESTS_IN_FLIGHT of a worker, or the default; InputError unless it is 1 to 1,000."""
    text = environment.get(IN_FLIGHT, "").strip()
    if text and not (text.isdecimal() and 1 <= int(text) <= MOST_CONNECTIONS):
        raise InputError(
            f"{IN_FLIGHT} is {text!r} in the worker's environment. Give a number from 1 to "
            f"{MOST_CONNECTIONS:,}: the requests in flight at each replica.",
            code="endpoint-settings-refused",
        )
    return int(text) if text else default


def open_async_client(
    endpoint: str, environment: Mapping[str, str], *, timeout: float, largest: int = LARGEST_RESPONSE
) -> AsyncOpenAI:
    """Return a client that sends the key to this endpoint only: it follows no redirect.

    ``timeout`` is the longest silence in seconds, ``largest`` the maximum size of a response in bytes.
    Raises EndpointRefused.
    """
    import openai

    from trackside.judging.endpoints.bounded_client import BoundedClient  # imports openai, too

    options = client_options(endpoint, environment)
    http_client = BoundedClient(follow_redirects=False, largest=largest)
    return openai.AsyncOpenAI(**options, timeout=timeout, http_client=http_client)


def shutdown_date(model: object) -> date | None:
    """Return the date on which the endpoint will shut a model down, or None if it announces none.

    ``model`` is the response of GET /models/NAME. OpenAI sends ``shutdown_date``, a date; Mistral
    ``deprecation``, a timestamp; Azure ``deprecation.inference``, seconds since 1970.
    """
    if not isinstance(model, Mapping):
        return None
    announced = model.get("shutdown_date") or model.get("deprecation")
    if isinstance(announced, Mapping):
        announced = announced.get("inference")
    try:
        if isinstance(announced, str):
            return datetime.fromisoformat(announced).date()
        return datetime.fromtimestamp(announced, UTC).date() if isinstance(announced, int | float) else None
    except (ValueError, OverflowError, OSError):
        return None


def fetch_shutdown_date(settings: Settings, environment: Mapping[str, str]) -> date | None:
    """Fetch the model's shutdown date; None if the endpoint announces none or cannot be reached."""
    import openai

    try:
        return asyncio.run(_fetch_shutdown_date(settings, environment))
    # TimeoutError: no whole response in time. The last three: the response is not a model.
    except (EndpointRefused, openai.OpenAIError, TimeoutError, ValueError, AttributeError, RecursionError):
        return None


async def _fetch_shutdown_date(settings: Settings, environment: Mapping[str, str]) -> date | None:
    first, *_ = replicas(settings.endpoint)
    async with asyncio.timeout(TIMEOUT), open_async_client(first, environment, timeout=TIMEOUT) as client:
        return shutdown_date((await client.models.retrieve(settings.model)).model_dump())
