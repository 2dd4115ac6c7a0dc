"""Gunicorn's end of requests whose body the site did not read: the answer arrives, and the next request."""

import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from gunicorn.http.errors import ParseException

READ_BYTES = 65_536
REST_BYTES = 1_048_576  # of a body that the site left unread; with a longer rest the connection is closed
LINGER_SECONDS, LINGER_BYTES = 2.0, 16_777_216  # to read on before a connection is closed


def with_read_bodies(site: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Read the rest of a body that the site did not read, or announce the end of the connection.

    Otherwise the client would send its next request on a connection that is about to be closed, or in the
    middle of this body.
    """

    def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer = site(environ, start_response)
        if not _has_ended(environ["wsgi.input"]):
            start_response.__self__.force_close()  # gunicorn's Response; it has not sent its headers yet
        return answer

    return serve


def _has_ended(body: Any) -> bool:
    """Read the rest of the body, unless it is long; return whether that was all."""
    if (
        getattr(body.reader, "length", 0) > REST_BYTES
    ):  # what gunicorn's reader of Content-Length has not read
        return False
    left = REST_BYTES
    try:
        while left > 0 and (chunk := body.read(READ_BYTES)):
            left -= len(chunk)
    except (OSError, ParseException):  # the client is slow or has disconnected, or its chunks are malformed
        return False
    return left > 0


def linger(client: socket.socket) -> None:
    """Send the end of our answers, and read on until the client has closed or a bound is reached.

    If bytes of the client were unread at the close, the kernel would reset the connection, and the client
    might lose our answer.
    """
    until, left = time.monotonic() + LINGER_SECONDS, LINGER_BYTES
    with suppress(OSError):
        client.shutdown(socket.SHUT_WR)
        while left > 0 and (seconds := until - time.monotonic()) > 0:
            client.settimeout(seconds)
            chunk = client.recv(READ_BYTES)
            if not chunk:
                break
            left -= len(chunk)
