"""A site for gunicorn that reads no body: it refuses each POST by its head."""

from collections.abc import Callable, Iterable
from typing import Any


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    status = "401 Unauthorized" if environ["REQUEST_METHOD"] == "POST" else "200 OK"
    start_response(status, [("Content-Length", "2")])
    return [b"ok"]
