"""Answers of the web server itself: texts that programs and people can read, not gunicorn's HTML pages."""

from __future__ import annotations

from http import HTTPStatus

from gunicorn.http.errors import (
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)

STATUSES: dict[type[BaseException], HTTPStatus] = {
    LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
}
FAILED = "The site failed and has logged the error. Try again in a minute."


def early_answer(status: HTTPStatus, detail: str, *headers: str) -> bytes:
    """Return an answer that closes the connection; ``headers`` are whole lines."""
    body = f"{status.phrase}. {detail}\n".encode()
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def answer_to(error: BaseException) -> bytes:
    """Return the answer to a request that cannot be parsed, or that failed in another way."""
    if isinstance(error, ParseException):
        return early_answer(STATUSES.get(type(error), HTTPStatus.BAD_REQUEST), f"{error}.")
    return early_answer(HTTPStatus.INTERNAL_SERVER_ERROR, FAILED)
