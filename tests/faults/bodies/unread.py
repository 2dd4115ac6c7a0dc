"""A site for gunicorn that reads no body: it refuses each POST by its head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    status = "401 Unauthorized" if environ["REQUEST_METHOD"] == "POST" else "200 OK"
    start_response(status, [("Content-Length", "2")])
    return [b"ok"]
