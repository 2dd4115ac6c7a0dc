"""Endpoints of OpenAI's protocol: what settings they take, and how they are reached."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from math import inf
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from evaluation.core.errors import InputError
from judges.core.answers import FORMS
from judges.core.prompts import check_template
from judges.core.settings import SMALL, Settings

DEFAULTS = {"max_tokens": 64, "temperature": 0}


@dataclass(frozen=True)
class _Option:
    """What a decoding option may be: of which types, from where to where for numbers, and in words."""

    words: str
    types: tuple[type, ...]
    lowest: float = -inf
    highest: float = inf

    def takes(self, value: object) -> bool:
        """Whether the value is one; true is no 1."""
        if type(value) not in self.types:
            return False
        return not isinstance(value, int | float) or self.lowest <= value <= self.highest


_TOKENS = _Option("a whole number from 1", (int,), 1, 2**31 - 1)
OFFERED = {
    "max_tokens": _TOKENS,
    "max_completion_tokens": _TOKENS,
    "temperature": _Option("a number from 0 to 2", (int, float), 0, 2),
    "top_p": _Option("a number from 0 to 1", (int, float), 0, 1),
    "logprobs": _Option("a whole number from 0 to 20", (int,), 0, 20),
    "json_schema": _Option("true or false", (bool,)),
    "detail": _Option('a word, such as "low"', (str,)),
}
DATED = re.compile(r"\d{4}-?\d{2}-?\d{2}")
NOT_FOR_US = frozenset({401, 403, 404, 405})  # key, model or address are wrong: for every pair alike
REFUSED = frozenset({400, 413, 415, 422})
TIMEOUT = 20.0  # seconds for what is asked about a model
BUSY = frozenset({408, 409, 425, 429})


class EndpointSettingsRefused(InputError):
    """Settings that no endpoint of this protocol can be sent."""


def pinned_endpoint(settings: Settings, *, revision: int) -> Settings:
    """The settings with defaults and revisions; InputError where something is missing or not offered."""
    name = settings.backend
    check_template(settings.prompt)
    urls = tuple(url.rstrip("/") for url in replicas(settings.endpoint))
    if not urls or any(urlsplit(url).scheme not in {"http", "https"} for url in urls):
        raise EndpointSettingsRefused(f"{name} needs a base URL, such as http://host:8000/v1.")
    if len(set(urls)) < len(urls):
        raise EndpointSettingsRefused("A base URL stands twice: name each replica once.")
    if settings.answer not in FORMS:
        raise EndpointSettingsRefused(f"{name} needs a form of answer: {', '.join(FORMS)}.")
    if unknown := sorted(set(settings.decoding) - set(OFFERED)):
        raise EndpointSettingsRefused(f"{name} does not send {unknown}. It sends: {sorted(OFFERED)}.")
    for option, value in settings.decoding.items():
        if not OFFERED[option].takes(value):
            raise EndpointSettingsRefused(
                f'"{option}": {json.dumps(value)} cannot be sent. Give {OFFERED[option].words}.'
            )
    if settings.image_size != SMALL:
        raise EndpointSettingsRefused(f"{name} sends the 336 px copy of an image: choose that size.")
    return replace(
        settings,
        revision=revision,
        model_revision=settings.model_revision or _snapshot(settings.model),
        dtype="",
        endpoint=" ".join(urls),
        decoding=DEFAULTS | dict(settings.decoding),
    )


def _snapshot(model: str) -> str:
    """The model's dated name; EndpointSettingsRefused for one that can change behind its name."""
    if DATED.search(model):
        return model
    raise EndpointSettingsRefused(
        f'"{model}" can change behind its name. Name a dated snapshot, such as {model}-2026-01-31, or give '
        "as its revision the commit that your server has loaded."
    )


def replicas(endpoint: str) -> tuple[str, ...]:
    """The base URLs of a judge's endpoint, which stand with blanks between: each serves the same model."""
    return tuple(endpoint.split())


def spellings(endpoint: str) -> tuple[str, str]:
    """An endpoint as people may have written it: with and without a slash at its end."""
    bare = endpoint.rstrip("/")
    return bare, bare + "/"


def replica_of(topic: str, count: int) -> int:
    """The place of the replica that answers for a topic: the same one each time, in every worker."""
    return int.from_bytes(hashlib.sha256(topic.encode()).digest()[:8]) % count


def key_variable(endpoint: str) -> str:
    """The environment variable that holds an endpoint's key: keys stay out of the database.

    OPENAI_API_KEY for api.openai.com, for others JUDGE_KEY_ and the host: JUDGE_KEY_GPU1_EXAMPLE_ORG.
    """
    host = (urlsplit(endpoint).hostname or "").upper()
    return "OPENAI_API_KEY" if host == "API.OPENAI.COM" else "JUDGE_KEY_" + re.sub(r"[^A-Z0-9]", "_", host)


def client_options(endpoint: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """What an OpenAI client is made with: address, key, no retries of its own.

    What stands behind a ? in the address goes along with every request, as Azure's api-version does; Azure
    reads the key from a header of its own, too.
    """
    parts = urlsplit(endpoint)
    key = environment.get(key_variable(endpoint), "none")
    is_azure = (parts.hostname or "").endswith(".azure.com")
    return {
        "api_key": key,
        "base_url": urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
        "default_query": dict(parse_qsl(parts.query)),
        "default_headers": {"api-key": key} if is_azure else {},
        "max_retries": 0,  # every request is on our own ledger; the client would send some behind its back
    }


def shutdown_date(model: object) -> date | None:
    """The day on which a model will be shut down, as its endpoint tells; None where it tells none.

    ``model`` is what GET /models/NAME answers. OpenAI names ``shutdown_date``, a day; Mistral
    ``deprecation``, a moment; Azure ``deprecation.inference``, seconds since 1970.
    """
    if not isinstance(model, Mapping):
        return None
    told = model.get("shutdown_date") or model.get("deprecation")
    if isinstance(told, Mapping):
        told = told.get("inference")
    try:
        if isinstance(told, str):
            return datetime.fromisoformat(told).date()
        return datetime.fromtimestamp(told, UTC).date() if isinstance(told, int | float) else None
    except (ValueError, OverflowError, OSError):
        return None


def fetch_shutdown_date(settings: Settings, environment: Mapping[str, str]) -> date | None:
    """Ask the endpoint when the model will be shut down; None where it does not say, or cannot be asked."""
    import openai

    try:
        first, *_ = replicas(settings.endpoint)
        with openai.OpenAI(**client_options(first, environment), timeout=TIMEOUT) as client:
            return shutdown_date(client.models.retrieve(settings.model).model_dump())
    except (openai.OpenAIError, ValueError, AttributeError):  # no such address, or an answer that is no model
        return None
