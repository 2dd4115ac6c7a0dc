"""Client of a site's API: retries broken connections, reports refusals."""

from __future__ import annotations

import re
import ssl
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

from trackside.cli.progress import open_with_progress
from trackside.errors import InputError

if TYPE_CHECKING:
    import httpx2

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


@dataclass(frozen=True)
class RemoteSite:
    """A site's API, with the token to send."""

    address: str
    token: str

    def read(self, path: str, **asked: str) -> Any:
        """GET the JSON at a path below /api/v1 with these query parameters. Raises InputError."""
        return self._with_retries("GET", path, _json, params=asked)

    def read_list(self, path: str, **asked: str) -> Iterator[Any]:
        """Yield the items of a list, fetched page by page. Raises InputError."""
        following = {"limit": str(PAGE), **asked}
        while following:
            page, following = self._with_retries("GET", path, _page_and_next, params=following)
            yield from page["items"]

    def fetch(self, path: str, target: IO[bytes]) -> None:
        """Write the file at a path to the target; each attempt starts at byte 0. Raises InputError."""

        def write(answer: httpx2.Response) -> None:
            target.seek(0)
            target.truncate()
            for piece in answer.iter_raw():
                target.write(piece)

        self._with_retries("GET", path, write, headers={"Accept-Encoding": "identity"})

    def ask(self, path: str) -> Any:
        """POST without a body and return the JSON of the response. Raises InputError."""
        return self._with_retries("POST", path, _json)

    def send(
        self,
        path: str,
        fields: Sequence[tuple[str, str]],
        file: Path | None = None,
        *,
        key: str = "",
        file_field: str = "file",
    ) -> Any:
        """POST fields and a file as a form, and return the JSON of the response. Raises InputError.

        Every attempt sends one key, by which the site recognises a repeated request. The form is always
        multipart/form-data: sites refuse such a body if it is cut, but no other form.
        """
        parts: list[Any] = [(name, (None, value)) for name, value in fields]
        headers = {"Idempotency-Key": key or str(uuid4())}
        if file is None:
            return self._with_retries("POST", path, _json, files=parts, headers=headers)
        with open_with_progress(str(file)) as content:
            if isinstance(content, str):
                raise InputError(f"{file}: cannot be read. Check the path.")
            name = re.sub(r'["\\\r\n]', "_", file.name)
            parts.append((file_field, (name, content, "application/octet-stream")))
            try:
                return self._with_retries("POST", path, _json, files=parts, headers=headers)
            except require_http().LocalProtocolError as error:  # more or fewer bytes than announced
                raise InputError(
                    f"{file}: changed during the upload. Send it once it is complete."
                ) from error

    def _with_retries(self, method: str, path: str, take: Callable[[httpx2.Response], T], **sent: Any) -> T:
        """Call ``take`` with the response and return its result."""
        url = f"{self.address}/api/v1{quote(path)}"
        signed = {"Authorization": f"Bearer {self.token}", "User-Agent": "trackside"}
        http = require_http()
        with http.Client(headers=signed, timeout=PATIENCE) as client:
            for pause in (*PAUSES, None):
                try:
                    with client.stream(method, url, **sent) as answer:
                        if answer.is_success:
                            return take(answer)
                        refusal = _refusal(answer)
                        # A 503 with its own type is no outage: the type names what the caller must wait for.
                        if answer.status_code not in PASSING or refusal.kind not in ("", "about:blank"):
                            raise refusal
                        reason = f"{answer.status_code} {answer.reason_phrase}"
                except http.LocalProtocolError:
                    raise
                except http.HTTPError as error:
                    reason = _reason(error)
                if pause is not None:
                    sys.stderr.write(f"{self.address}: {reason}; again in {pause:g} s\n")
                    time.sleep(pause)
        raise InputError(
            f"{self.address}: {reason}, {len(PAUSES) + 1} times. Check your connection and try again later."
        )


def require_http() -> ModuleType:
    """httpx2, an extra, which commands for a site load. Raises InputError."""
    try:
        import httpx2
    except ModuleNotFoundError as error:
        raise InputError("commands for a site need httpx2: pip install 'trackside[remote]'.") from error
    return httpx2


def _json(answer: httpx2.Response) -> Any:
    answer.read()
    return answer.json()


def _page_and_next(answer: httpx2.Response) -> tuple[Any, dict[str, str]]:
    """A page of a list, and the next page's query parameters from the header Link; empty on the last page."""
    following = answer.links.get("next", {}).get("url", "")
    return _json(answer), dict(require_http().URL(following).params)


def _reason(error: BaseException) -> str:
    """The reason of a failed attempt. Raises InputError for errors that a retry cannot fix."""
    cause: BaseException | None = error
    while cause:
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise InputError(
                f"the site's certificate is not valid ({cause.verify_message}). Nothing was sent."
            ) from error
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__


def _refusal(answer: httpx2.Response) -> SiteRefused:
    if answer.has_redirect_location:  # following it would send the token to another address
        there = answer.headers["Location"]
        return SiteRefused(f"{answer.url} redirects to {there}. Sign in to the site under that address.")
    try:
        problem = _json(answer)
        return SiteRefused(problem["detail"], problem["type"])
    except (ValueError, KeyError, TypeError):
        return SiteRefused(
            f"{answer.url}: {answer.status_code} {answer.reason_phrase}. "
            "Is this the address of a Trackside site?"
        )
