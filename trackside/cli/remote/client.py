"""Client of a site's API: retries broken connections, reports refusals."""

from __future__ import annotations

import json
import re
import shutil
import ssl
import sys
import time
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from trackside.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.message import Message
    from http.client import HTTPResponse

    from trackside.cli.remote.form_body import FieldsBody, FormBody

T = TypeVar("T")
# Seconds before each further attempt: a minute in all, which a restart of the site may take.
PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
PATIENCE = 60  # seconds of socket timeout
PAGE = 1000  # items per page of a list, the site's maximum
PASSING = {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}


class SiteRefused(InputError):
    """The site rejected the request. ``kind`` is the problem's type."""

    def __init__(self, text: str, kind: str = "") -> None:
        super().__init__(text)
        self.kind = kind


class _NoRedirects(HTTPRedirectHandler):
    """Refuses redirects, which would send the token to another address."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        raise SiteRefused(f"{req.full_url} redirects to {newurl}. Sign in to the site under that address.")


@dataclass(frozen=True)
class RemoteSite:
    """A site's API, with the token to send."""

    address: str
    token: str

    def read(self, path: str, **asked: object) -> Any:
        """GET the JSON at a path below /api/v1 with these query parameters. Raises InputError."""
        return self._with_retries(lambda: self._request(path, asked), json.load)

    def read_list(self, path: str, **asked: object) -> Iterator[Any]:
        """Yield the items of a list, fetched page by page. Raises InputError."""
        following: dict[str, object] = {"limit": PAGE, **asked}
        while following:
            page, following = self._with_retries(partial(self._request, path, following), _page_and_next)
            yield from page["items"]

    def fetch(self, path: str, target: IO[bytes]) -> None:
        """Write the file at a path to the target; each attempt starts at byte 0. Raises InputError."""

        def write(answer: HTTPResponse) -> None:
            target.seek(0)
            target.truncate()
            shutil.copyfileobj(answer, target)

        self._with_retries(lambda: self._request(path, {}), write)

    def ask(self, path: str) -> Any:
        """POST without a body and return the JSON of the response. Raises InputError."""
        return self._with_retries(lambda: self._request(path, {}, b""), json.load)

    def send(self, path: str, form: FormBody | FieldsBody, key: str) -> Any:
        """POST the form and return the JSON of the response. Raises InputError.

        Every attempt sends the key, by which the site recognises a repeated request.
        """
        headers = {**form.headers, "Idempotency-Key": key}
        return self._with_retries(lambda: self._request(path, {}, form.parts(), headers), json.load)

    def _request(
        self, path: str, asked: dict[str, object], body: Any = None, headers: dict[str, str] | None = None
    ) -> Request:
        question = "?" + urlencode(asked) if asked else ""
        signed = {"Authorization": f"Bearer {self.token}", "User-Agent": "trackside", **(headers or {})}
        return Request(f"{self.address}/api/v1{quote(path)}{question}", data=body, headers=signed)  # noqa: S310 - http or https: sites.address_of

    def _with_retries(self, make: Callable[[], Request], take: Callable[[Any], T]) -> T:
        """Call ``take`` with the response and return its result. Each attempt creates a new request."""
        opener = build_opener(_NoRedirects)
        for pause in (*PAUSES, None):
            try:
                with opener.open(make(), timeout=PATIENCE) as answer:
                    return take(answer)
            except HTTPError as error:
                refusal = _refusal(error)
                # A 503 with its own type is not an outage: the type names what the caller must wait for.
                if error.code not in PASSING or refusal.kind not in ("", "about:blank"):
                    raise refusal from None
                reason = f"{error.code} {error.reason}"
            except (HTTPException, OSError) as error:
                reason = _reason(error)
            if pause is not None:
                sys.stderr.write(f"{self.address}: {reason}; again in {pause:g} s\n")
                time.sleep(pause)
        raise InputError(
            f"{self.address}: {reason}, {len(PAUSES) + 1} times. Check your connection and try again later."
        )


def _page_and_next(answer: HTTPResponse) -> tuple[Any, dict[str, object]]:
    """A page of a list, and the next page's query parameters from the header Link; empty on the last page."""
    link = re.search(r'<([^>]*)>; rel="next"', answer.headers.get("Link", ""))
    return json.load(answer), dict(parse_qsl(urlsplit(link[1]).query)) if link else {}


def _reason(error: HTTPException | OSError) -> str:
    """The reason of a failed attempt. Raises InputError for errors that a retry cannot fix."""
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        raise InputError(
            f"the site's certificate is not valid ({cause.verify_message}). Nothing was sent."
        ) from error
    return str(cause) or type(cause).__name__


def _refusal(error: HTTPError) -> SiteRefused:
    try:
        problem = json.loads(error.read())
        return SiteRefused(problem["detail"], problem["type"])
    except (HTTPException, OSError, ValueError, KeyError, TypeError):
        return SiteRefused(
            f"{error.url}: {error.code} {error.reason}. Is this the address of a Trackside site?"
        )
